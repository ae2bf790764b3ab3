internal import AppIcon

/// How an icon is to look.
struct IconDrawing {
  static let options: CallOptions = [.noOutline, .noStroke]

  let size: IconSize
  let shape: IconShape
  let hasStroke: Bool

  init(_ size: IconSize, _ options: CallOptions) {
    self.size = size
    shape = options.contains(.noOutline) ? .none : .continuous
    hasStroke = !options.contains(.noStroke)
  }

  /// As docsource-fetch is told.
  var words: [String] {
    ["\(size.points)", "\(size.scale)", shape.rawValue, hasStroke ? "stroke" : "no-stroke"]
  }
}
