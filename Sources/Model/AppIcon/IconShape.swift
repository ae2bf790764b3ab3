/// The outline that an icon is cut to.
public enum IconShape: String, CaseIterable, Hashable, Sendable {
  /// Apple's continuous corner.
  case continuous
  /// Lamé's curve with the exponent 5.
  case superellipse
  /// A quarter of a circle at each corner.
  case circleCorner = "circle-corner"
  /// The picture as it is.
  case none
}
