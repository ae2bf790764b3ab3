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
}

extension ApplicationDescription {
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
    guard case .array(let list) = try PropertyList(binary: binary) else { return nil }
    var descriptions: [ApplicationDescription?] = []
    for element in list {
      guard case .dictionary(let members) = element else { return nil }
      descriptions.append(ApplicationDescription(members))
    }
    return descriptions
  }

  private var propertyList: PropertyList {
    let members = [("id", identifier), ("name", name), ("icon", icon)]
    let present = members.compactMap { key, text in text.map { (key, PropertyList.string($0)) } }
    return .dictionary(PropertyList.Dictionary(present) { first, _ in first })
  }

  private init?(_ members: PropertyList.Dictionary) {
    func text(_ key: String) -> String? {
      if case .string(let text)? = members[key] { text } else { nil }
    }
    guard let identifier = text("id") else { return nil }
    self.init(identifier: identifier, name: text("name"), icon: text("icon"))
  }
}

/// Files of AppStream's metainfo, as XML that has not been read yet.
///
/// docsource-xml reads the XML; a property list carries the files there.
public struct MetainfoFiles: Hashable, Sendable {
  /// A longer file is left out: a limit in bytes that no known file reaches.
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
    guard case .array(let list) = try PropertyList(binary: binary) else { return nil }
    var contents: [[UInt8]] = []
    for element in list {
      guard case .data(let content) = element else { return nil }
      contents.append(content)
    }
    self.init(contents)
  }
}
