internal import AppIcon

extension IconRendering {
  /// The options of a call that say how an icon is to look.
  static let options: CallOptions = [.noOutline, .noStroke]

  init(_ size: IconSize, _ options: CallOptions) {
    self.init(
      size: size, shape: options.contains(.noOutline) ? .none : .continuous,
      hasStroke: !options.contains(.noStroke))
  }
}
