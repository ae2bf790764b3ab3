internal import AppIcon
internal import LinuxSystem

/// What C gives, checked.
enum Argument {
  static func path(_ path: UnsafePointer<CChar>?) throws(Failure) -> FilePath {
    guard let path = unsafe path else { throw .argument("no path is given") }
    return unsafe FilePath(cString: path)
  }

  /// A text in UTF-8, or `nil` where none is given.
  ///
  /// - Parameter name: what it is, for a message.
  static func text(
    _ text: UnsafePointer<CChar>?, _ name: String
  ) throws(Failure) -> String? {
    guard let text = unsafe text else { return nil }
    guard let valid = unsafe String(validatingCString: text) else {
      throw .argument("\(name) is not UTF-8")
    }
    return valid
  }

  static func size(points: Double, scale: Double) throws(Failure) -> IconSize {
    guard let size = IconSize(points: points, scale: scale) else {
      throw .argument("\(points) points at \(scale) make no icon of 1 to \(IconSize.limit) pixels")
    }
    return size
  }
}
