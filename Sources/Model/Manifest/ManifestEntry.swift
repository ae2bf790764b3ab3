public import LinuxSystem

/// A line of a manifest: a file below the tree's root, and the value of its attribute.
public struct ManifestEntry: Hashable, Sendable {
  /// As the manifest has it: a path of another's making, which may lead anywhere.
  public let path: FilePath
  /// The attribute's bytes, whatever they hold.
  public let value: [UInt8]

  public init(path: FilePath, value: [UInt8]) {
    self.path = path
    self.value = value
  }
}
