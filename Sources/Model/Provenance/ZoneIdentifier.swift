/// Windows' mark of where a file came from: the stream `Zone.Identifier`.
///
/// It is an INI file with the section `[ZoneTransfer]`, in UTF-8, or behind a byte order mark in
/// UTF-16. As Windows reads it, names differ not in case and the first of equal names counts.
public struct ZoneIdentifier: Hashable, Sendable {
  /// How far Windows trusts what comes from there (`URLZONE`).
  public enum Zone: UInt8, CaseIterable, Sendable {
    case localMachine, intranet, trusted, internet, restricted
  }

  public var zone: Zone?
  /// Where the link to it stood.
  public var referrerURL: String?
  /// Where it was downloaded from; also `about:internet`, `blob:` or a path.
  public var hostURL: String?
  /// The application from the Store that wrote the file last.
  public var lastWriter: String?
  public var hostAddress: String?

  /// Longer than anything that browsers write.
  public static let limit = 65536

  public init(
    zone: Zone? = nil, referrerURL: String? = nil, hostURL: String? = nil,
    lastWriter: String? = nil, hostAddress: String? = nil
  ) {
    self.zone = zone
    self.referrerURL = referrerURL
    self.hostURL = hostURL
    self.lastWriter = lastWriter
    self.hostAddress = hostAddress
  }

  /// Reads the stream; one NUL behind it is passed over.
  ///
  /// Other sections, unknown names and lines without `=` are passed over.
  ///
  /// - Throws: `MarkFailure`, with the offset of the byte or line that is wrong.
  public init(_ value: [UInt8]) throws(MarkFailure) {
    guard value.count <= Self.limit else { throw MarkFailure(.tooLong, at: Self.limit) }
    if MarkText.withoutNUL(value).isEmpty { throw MarkFailure(.empty, at: 0) }
    self.init()
    var isInside = false
    var wasThere = false
    var seen: Set<String> = []
    for line in try InitializationLine.all(in: value) {
      switch line.content {
      case .section(let name):
        isInside = name.lowercased() == "zonetransfer"
        if isInside { wasThere = true }
      case .pair(let name, let text) where isInside && seen.insert(name.lowercased()).inserted:
        try take(name.lowercased(), text, line.offset)
      case .pair, .other: break
      }
    }
    guard wasThere else { throw MarkFailure(.noSection, at: value.count) }
    guard self != ZoneIdentifier() else { throw MarkFailure(.noField, at: value.count) }
  }

  private mutating func take(
    _ name: String, _ text: String, _ offset: Int
  ) throws(MarkFailure) {
    switch name {
    case "zoneid":
      guard let zone = UInt8(text).flatMap(Zone.init) else { throw MarkFailure(.zone, at: offset) }
      self.zone = zone
    case "referrerurl": referrerURL = text
    case "hosturl": hostURL = text
    case "lastwriterpackagefamilyname": lastWriter = text
    case "hostipaddress": hostAddress = text
    default: break
    }
  }
}

extension ZoneIdentifier.Zone: CustomStringConvertible {
  /// What Windows calls it.
  public var description: String {
    switch self {
    case .localMachine: "local machine"
    case .intranet: "local intranet"
    case .trusted: "trusted sites"
    case .internet: "Internet"
    case .restricted: "restricted sites"
    }
  }
}
