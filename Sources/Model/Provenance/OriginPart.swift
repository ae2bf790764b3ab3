internal import ForeignFormats

/// A part of the short answer about a file: that the file came from an application, or that a
/// program downloaded the file from somewhere at some time. Whoever shows a part puts it in words.
public struct OriginPart: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The application that the file came from.
    case application
    /// The application that made the file.
    case creator
    /// The camera or phone that recorded the content.
    case device
    /// A download, perhaps from a host.
    case download
    /// The same, which is likely only.
    case likelyDownload
    /// A mail or an AirDrop, from its sender.
    case message
    /// The package that has installed the file, where nothing else says where the file came from.
    case package
    /// The host of the page where the link stood.
    case page
    /// The repository that tracks the file, where neither a package nor anything else says where the file came
    /// from.
    case repository
    /// The program that wrote the content, by the content itself.
    case program
    /// A program that wrote the file, which no mark says to be a download.
    case writing
    /// The zone of Windows. The only part where it is one.
    case zone
  }

  public let kind: Kind
  /// The application, the host, the sender, the package, the repository or the zone.
  public let origin: String?
  /// The program that downloaded or wrote the file.
  public let program: String?
  /// When, in seconds since 1970-01-01T00:00:00Z.
  public let seconds: Double?

  init(_ kind: Kind, _ origin: String?, program: String? = nil, seconds: Double? = nil) {
    self.kind = kind
    self.origin = origin
    self.program = program
    self.seconds = seconds
  }
}

extension ProvenanceReport {
  /// The short answer in the order in which to show its parts, without the desktop's record
  /// (`lastUse`). Empty if no mark says where the file came from.
  public var parts: [OriginPart] {
    var parts: [OriginPart] = []
    parts.reserveCapacity(2)
    if let part = applicationPart { parts.append(part) }
    appendArrival(to: &parts)
    if parts.isEmpty {
      let package = text(.package).map { OriginPart(.package, $0) }
      if let part = package ?? text(.repository).map({ OriginPart(.repository, $0) }) {
        parts.append(part)
      }
    }
    if let program = text(.program) { parts.append(OriginPart(.program, program)) }
    if let device = text(.device) { parts.append(OriginPart(.device, device)) }
    guard parts.isEmpty, lastUse == nil, case .zone(let zone)? = first(.zone)?.value else {
      return parts
    }
    return [OriginPart(.zone, zone.description)]
  }

  /// Whether marks contradict each other, without those in files of other users.
  public var isDoubtful: Bool {
    contradictions.contains { $0.claims.count { $0.trust != .foreign } > 1 }
  }

  private var applicationPart: OriginPart? {
    if let name = text(.name) ?? text(.identifier) { return OriginPart(.application, name) }
    // curl calls itself the creator of what it downloads.
    return host == nil ? text(.creator).map { OriginPart(.creator, $0) } : nil
  }

  private func appendArrival(to parts: inout [OriginPart]) {
    let (program, seconds) = (text(.agent), moment(.downloaded))
    let download = isLikely ? OriginPart.Kind.likelyDownload : .download
    if let host {
      let creator = text(.name) == nil ? text(.creator) : nil
      parts.append(OriginPart(download, host, program: program ?? creator, seconds: seconds))
      return
    }
    if let sender = text(.sender) {
      parts.append(OriginPart(.message, sender, seconds: seconds))
      return
    }
    if program != nil || seconds != nil {
      let kind = isDownload ? download : .writing
      parts.append(OriginPart(kind, nil, program: program, seconds: seconds))
    }
    if let host = referrerHost { parts.append(OriginPart(.page, host)) }
  }
}
