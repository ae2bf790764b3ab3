internal import DocumentSource
public import ForeignFormats
internal import ShareItem
internal import TextFormats
internal import Witness

/// One thing that a mark says.
public struct Claim: Hashable, Sendable {
  /// What it is about.
  public enum Subject: String, CaseIterable, Hashable, Sendable {
    /// The application that the file came from, by its identifier, and by its name.
    case identifier, name
    /// The file's path in that application.
    case path
    /// When `docsource watch` wrote that by itself.
    case taggedByWatch
    /// The application that made the file.
    case creator
    /// Where it was downloaded from.
    case url
    /// The page where the link stood.
    case referrer
    /// Who sent it by mail or AirDrop.
    case sender
    /// The program that downloaded it.
    case agent
    /// When it was downloaded.
    case downloaded
    /// Where Windows takes it to be from.
    case zone
    /// The application that used the file last, by the desktop's record.
    case lastUse
    /// The program that wrote the content, with its version, by the content itself.
    case program
    /// The camera or phone that recorded the content, likewise.
    case device
    /// The package that has installed the file, with its version.
    case package
    /// The repository that tracks the file.
    case repository

    /// Subjects that belong together: claims about them are of one application or one download.
    enum Group {
      case application, creator, download, zone, lastUse, program, device, package, repository

      /// Whether claims of one mark alone count together.
      var isOfOneMark: Bool { self == .application }
    }

    var group: Group {
      switch self {
      case .identifier, .name, .path, .taggedByWatch: .application
      case .creator: .creator
      case .url, .referrer, .sender, .agent, .downloaded: .download
      case .zone: .zone
      case .lastUse: .lastUse
      case .program: .program
      case .device: .device
      case .package: .package
      case .repository: .repository
      }
    }
  }

  public enum Value: Hashable, Sendable {
    case text(String)
    /// In seconds since 1970-01-01T00:00:00Z.
    case moment(Double)
    case zone(ZoneIdentifier.Zone)
    indirect case use(RecentUse)
  }

  public let subject: Subject
  public let value: Value
  public let carrier: MarkCarrier
  public let trust: Trust

  /// Two programs that mark the same download do so within a minute of each other; a clock that is
  /// set for another place is out by an hour.
  static let tolerance = 1800.0

  /// Whether both can be true.
  public func agrees(with other: Claim) -> Bool {
    // A copy of the file may have been tagged anew, several packages may have one file, and several
    // applications use it one after the other.
    if [.taggedByWatch, .package, .lastUse].contains(subject) { return true }
    if case .moment(let one) = value, case .moment(let two) = other.value {
      return abs(one - two) <= Self.tolerance
    }
    if [.url, .referrer].contains(subject), case .text(let one) = value,
      case .text(let two) = other.value
    {
      // Programs write addresses without what identifies the user, as records have it.
      return one == two || one == ShareItem.handedOn(two, keeping: [])
        || two == ShareItem.handedOn(one, keeping: [])
    }
    // The letters of identifiers match in either case, as for a change.
    if subject == .identifier, case .text(let one) = value, case .text(let two) = other.value {
      return one.lowercased() == two.lowercased()
    }
    return value == other.value
  }

  /// The claims of a mark.
  public static func all(of mark: Mark) -> [Claim] {
    var claims: [Claim] = []
    append(of: mark, to: &claims)
    return claims
  }

  /// Appends the claims of a mark.
  static func append(of mark: Mark, to claims: inout [Claim]) {
    guard let value = mark.value else { return }
    func add(_ subject: Subject, _ value: Value?) {
      guard let value else { return }
      claims.append(
        Claim(subject: subject, value: value, carrier: mark.carrier, trust: mark.trust))
    }
    func add(_ subject: Subject, _ text: String?) {
      if let text, !text.isEmpty { add(subject, .text(text)) }
    }
    switch (value, mark.kind) {
    case (.source(let source, _), _):
      add(.identifier, source.identifier)
      add(.name, source.name)
      add(.path, source.path)
      if source.identifier != nil || source.name != nil {
        let time = WatchMark.time(in: mark.bytes)
        add(.taggedByWatch, time.map { .moment($0 + CalendarDate.referenceDate) })
      }
    case (.quarantine(let quarantine), _):
      add(.agent, quarantine.agent ?? quarantine.agentIdentifier)
      add(.downloaded, quarantine.seconds.map { .moment(Double($0)) })
    case (.origins(let origins), _):
      let isDownload = MarkValue.isDownload(origins)
      add(isDownload ? .url : .sender, origins.first)
      if isDownload { add(.referrer, origins.dropFirst().first) }
    case (.moment(let seconds), .downloadedDate): add(.downloaded, .moment(seconds))
    case (.zone(let zone), _):
      add(.zone, zone.zone.map { .zone($0) })
      // Browsers write these where they hide the URL.
      add(.url, url(zone.hostURL, zone.undecoded[.hostURL]))
      add(.referrer, url(zone.referrerURL, zone.undecoded[.referrerURL]))
    case (.item(let item), _):
      add(.url, item.sourceURL)
      add(.referrer, item.referrer.webURL)
    case (.text(let text), .originURL): add(.url, text)
    case (.text(let text), .referrerURL): add(.referrer, text)
    case (.text(let text), .creator), (.text(let text), .metadataCreator): add(.creator, text)
    // The specification has "from", KDE's library writes "sender".
    case (.text(let text), .note("xdg.origin.email.from")),
      (.text(let text), .note("xdg.origin.email.sender")):
      add(.sender, text)
    case (.use(let use), _): add(.lastUse, .use(use))
    case (.download(let record, _), _):
      add(.url, record.origin)
      add(.referrer, record.referrer)
      add(.agent, record.browser)
      add(.downloaded, record.end.map { .moment($0) })
    case (.embedded(let origin), _):
      add(.program, origin.program?.title)
      add(.device, origin.device)
    case (.package(let record, _), _): add(.package, record.title)
    case (.repository(let record), _):
      // Nothing comes from a repository that does not track it.
      if record.state?.isTracked ?? true { add(.repository, record.repository.name) }
    case (.witness(let record, nil), _): add(.identifier, record.maker)
    default: break
    }
  }
}

extension Claim {
  /// The URL of a field in a Zone.Identifier; `nil` if the field holds something else.
  ///
  /// - Parameter bytes: those of a field in a code page. Where the host is ASCII, the other bytes are
  ///   percent-encoded, as they are in the URL that was asked for.
  private static func url(_ text: String?, _ bytes: [UInt8]?) -> String? {
    if let text { return LinkText.isURL(text) ? text : nil }
    guard let bytes else { return nil }
    let start = bytes.prefix { $0 < 0x80 }
    let url = String(
      decoding: PercentEncoding.encoded(bytes) { $0 < 0x80 }, as: UTF8.self)
    guard LinkText.isURL(url), let colon = start.firstIndex(of: UInt8(ascii: ":")),
      start[colon...].starts(with: "://".utf8),
      start[(colon + 3)...].contains(where: { "/?#".utf8.contains($0) })
    else { return nil }
    return url
  }
}

/// Claims about the same thing that cannot all be true.
public struct Contradiction: Hashable, Sendable {
  public let subject: Claim.Subject
  /// One claim for each thing that is said, in the order of the marks.
  public let claims: [Claim]
}
