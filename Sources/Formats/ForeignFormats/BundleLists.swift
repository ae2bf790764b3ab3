public import BinaryPropertyList

/// The Info.plists of the bundles in an archive, as docsource-archive hands them over.
public struct BundleLists: Sendable {
  /// What docsource-archive is called with after the limits.
  package static let verb = "info-plists"
  /// The most Info.plists of one archive, and the most bytes of all of them.
  public static let countLimit = 1000
  public static let sizeLimit = 64 << 20

  public private(set) var files: [(path: [UInt8], content: [UInt8])] = []
  private var size = 0

  public init() {}

  /// Whether there is room for one more file.
  ///
  /// - Returns: whether it was added.
  public mutating func add(_ path: [UInt8], _ content: [UInt8]) -> Bool {
    guard files.count < Self.countLimit, size + path.count + content.count <= Self.sizeLimit else {
      return false
    }
    size += path.count + content.count
    files.append((path, content))
    return true
  }

  /// Whether a path in an archive is the Info.plist of an app or an extension.
  public static func isList(_ path: ArraySlice<UInt8>) -> Bool {
    var names = path.split(separator: UInt8(ascii: "/"))[...]
    guard names.popLast()?.elementsEqual("Info.plist".utf8) == true else { return false }
    if names.last?.elementsEqual("Contents".utf8) == true { names.removeLast() }
    guard let bundle = names.last else { return false }
    return [".app", ".appex"].contains { bundle.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  public func binary() throws(EncodingFailure) -> [UInt8] {
    try PropertyList.array(files.flatMap { [.data($0.path), .data($0.content)] }).binary()
  }

  /// Reads the property list that `binary` makes; `nil` for anything else.
  public init?(binary: [UInt8]) throws(DecodingFailure) {
    guard let parts = try PropertyList(binary: binary).parts, parts.count.isMultiple(of: 2) else {
      return nil
    }
    for position in stride(from: 0, to: parts.count, by: 2) {
      guard let path = parts[position].data, let content = parts[position + 1].data,
        add(path, content)
      else { return nil }
    }
  }
}
