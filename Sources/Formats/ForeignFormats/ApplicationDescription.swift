public import BinaryPropertyList

/// What docsource uses of an application's AppStream metainfo or desktop entry.
///
/// docsource-xml reads the metainfo, which is XML; a property list carries the fields to docsource.
public struct ApplicationDescription: Hashable, Sendable {
  /// The identifier of the component or of the desktop file, without `.desktop`.
  public let identifier: String
  /// Its name in no particular language.
  public let name: String?
  /// The name of its icon in the icon theme, or the icon's absolute path.
  public let icon: String?

  public init(identifier: String, name: String? = nil, icon: String? = nil) {
    self.identifier = identifier
    self.name = name
    self.icon = icon
  }

  /// A list as a binary property list.
  ///
  /// - Parameter list: with `nil` for a file that describes nothing.
  public static func binary(
    _ list: [ApplicationDescription?]
  ) throws(EncodingFailure) -> [UInt8] {
    try PropertyList.array(list.map { $0?.propertyList ?? .dictionary([:]) }).binary()
  }

  /// Reads what ``binary(_:)`` makes.
  ///
  /// - Returns: `nil` for anything else.
  public static func list(
    binary: [UInt8]
  ) throws(DecodingFailure) -> [ApplicationDescription?]? {
    try PropertyList(binary: binary).elements { element -> ApplicationDescription?? in
      guard case .dictionary(let members) = element else { return nil }
      return .some(ApplicationDescription(members))
    }
  }

  private var propertyList: PropertyList {
    let members = [("id", identifier), ("name", name), ("icon", icon)]
    let present = members.compactMap { key, text in text.map { (key, PropertyList.string($0)) } }
    return .dictionary(PropertyList.Dictionary(present) { first, _ in first })
  }

  private init?(_ members: PropertyList.Dictionary) {
    guard let identifier = members["id"]?.text else { return nil }
    self.init(identifier: identifier, name: members["name"]?.text, icon: members["icon"]?.text)
  }
}

/// Files of AppStream's metainfo, as XML that docsource-xml reads; a property list carries them
/// there.
public struct MetainfoFiles: Hashable, Sendable {
  /// A file with more bytes is left out; no known one has.
  public static let limit = 1 << 20
  /// The files beyond this many bytes together are left out.
  public static let totalLimit = 16 << 20

  public let contents: [[UInt8]]

  public init(_ contents: [[UInt8]]) { self.contents = contents }

  /// The files as a binary property list.
  public func binary() throws(EncodingFailure) -> [UInt8] {
    try PropertyList.array(contents.map { .data($0) }).binary()
  }

  /// Reads what ``binary()`` makes.
  ///
  /// - Returns: `nil` for anything else.
  public init?(binary: [UInt8]) throws(DecodingFailure) {
    guard let contents = try PropertyList(binary: binary).elements(\.data) else { return nil }
    self.init(contents)
  }
}
