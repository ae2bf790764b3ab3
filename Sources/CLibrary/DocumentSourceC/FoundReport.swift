// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem
internal import Provenance
internal import TextFormats
internal import Xattr

@c @implementation public func docsource_report_read(
  _ path: UnsafePointer<CChar>?, _ options: UInt32,
  _ report: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(report, error) { () throws(Failure) in
    unsafe try SourceFile(path, options, and: [.records, .embedded]).report()
  }
}

@c @implementation public func docsource_report_read_fd(
  _ descriptor: CInt, _ options: UInt32, _ report: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(report, error) { () throws(Failure) in
    try SourceFile(descriptor, options, and: [.records, .embedded]).report()
  }
}

@c @implementation public func docsource_report_read_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ report: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(report, error) { () throws(Failure) in
    unsafe try SourceFile(name, in: directory, options, and: [.records, .embedded]).report()
  }
}

@c @implementation public func docsource_may_have_more(
  _ path: UnsafePointer<CChar>?, _ options: UInt32
) -> CInt {
  SourceFile.mayHaveMore(unsafe try? SourceFile(path, options))
}

@c @implementation public func docsource_may_have_more_fd(
  _ descriptor: CInt, _ options: UInt32
) -> CInt {
  SourceFile.mayHaveMore(try? SourceFile(descriptor, options))
}

@c @implementation public func docsource_may_have_more_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32
) -> CInt {
  SourceFile.mayHaveMore(unsafe try? SourceFile(name, in: directory, options))
}

private func value(
  _ mark: FoundMark?, _ subject: docsource_subject, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let value = mark?.value(subject)
  unsafe length?.pointee = value?.text.count ?? 0
  return unsafe value?.text.start
}

@c @implementation public func docsource_report_value(
  _ report: OpaquePointer?, _ subject: docsource_subject, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let report = unsafe Handle<FoundReport>.object(report)
  let mark = report?.position(subject).flatMap { report?.mark($0) }
  return unsafe value(mark, subject, length)
}

@c @implementation public func docsource_report_mark(
  _ report: OpaquePointer?, _ subject: docsource_subject
) -> Int64 {
  unsafe Int64(Handle<FoundReport>.object(report)?.position(subject) ?? -1)
}

@c @implementation public func docsource_report_is_contradictory(
  _ report: OpaquePointer?, _ subject: docsource_subject
) -> CInt {
  unsafe Handle<FoundReport>.object(report)?.isContradictory(subject) == true ? 1 : 0
}

@c @implementation public func docsource_report_is_doubtful(_ report: OpaquePointer?) -> CInt {
  unsafe Handle<FoundReport>.object(report)?.isDoubtful == true ? 1 : 0
}

@c @implementation public func docsource_report_is_witnessed(_ report: OpaquePointer?) -> CInt {
  unsafe Handle<FoundReport>.object(report)?.isWitnessed == true ? 1 : 0
}

@c @implementation public func docsource_report_part_count(_ report: OpaquePointer?) -> Int {
  unsafe Handle<FoundReport>.object(report)?.parts.count ?? 0
}

private func foundPart(_ part: Int, in report: OpaquePointer?) -> FoundPart? {
  let parts = unsafe Handle<FoundReport>.object(report)?.parts ?? []
  return parts.indices.contains(part) ? parts[part] : nil
}

@c @implementation public func docsource_report_part_kind(
  _ report: OpaquePointer?, _ part: Int
) -> docsource_part {
  unsafe foundPart(part, in: report)?.kind ?? DOCSOURCE_PART_NONE
}

@c @implementation public func docsource_report_part_origin(
  _ report: OpaquePointer?, _ part: Int, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let part = unsafe foundPart(part, in: report)
  unsafe length?.pointee = part?.origin.count ?? 0
  return unsafe part?.origin.start
}

@c @implementation public func docsource_report_part_program(
  _ report: OpaquePointer?, _ part: Int, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let part = unsafe foundPart(part, in: report)
  unsafe length?.pointee = part?.program.count ?? 0
  return unsafe part?.program.start
}

@c @implementation public func docsource_report_part_time(
  _ report: OpaquePointer?, _ part: Int
) -> UnsafePointer<CChar>? {
  unsafe foundPart(part, in: report)?.time.start
}

@c @implementation public func docsource_report_is_complete(_ report: OpaquePointer?) -> CInt {
  unsafe Handle<FoundReport>.object(report)?.isComplete == true ? 1 : 0
}

@c @implementation public func docsource_report_count(_ report: OpaquePointer?) -> Int {
  unsafe Handle<FoundReport>.object(report)?.marks.count ?? 0
}

private func found(_ mark: Int, in report: OpaquePointer?) -> FoundMark? {
  unsafe Handle<FoundReport>.object(report)?.mark(mark)
}

@c @implementation public func docsource_report_mark_name(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe found(mark, in: report)?.name.start
}

@c @implementation public func docsource_report_mark_form(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe found(mark, in: report)?.form.start
}

@c @implementation public func docsource_report_mark_carrier(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe found(mark, in: report)?.carrier.start
}

@c @implementation public func docsource_report_mark_trust(
  _ report: OpaquePointer?, _ mark: Int
) -> docsource_trust {
  unsafe found(mark, in: report)?.trust ?? DOCSOURCE_TRUST_CLAIM
}

@c @implementation public func docsource_report_mark_value(
  _ report: OpaquePointer?, _ mark: Int, _ subject: docsource_subject,
  _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe value(found(mark, in: report), subject, length)
}

@c @implementation public func docsource_report_mark_failure(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe found(mark, in: report)?.failure.start
}

@c @implementation public func docsource_report_mark_offset(_ report: OpaquePointer?, _ mark: Int)
  -> Int64
{
  unsafe found(mark, in: report)?.offset ?? -1
}

@c @implementation public func docsource_report_mark_bytes(
  _ report: OpaquePointer?, _ mark: Int, _ size: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  let mark = unsafe found(mark, in: report)
  unsafe size?.pointee = mark?.bytes.count ?? 0
  return unsafe UnsafeRawPointer(mark?.bytes.start)
}

@c @implementation public func docsource_report_free(_ report: OpaquePointer?) {
  unsafe Handle<FoundReport>.free(report)
}

/// All marks of a file as C holds them: `docsource_report`.
final class FoundReport {
  let marks: [FoundMark]
  /// The short answer.
  let parts: [FoundPart]
  /// Whether marks contradict each other, without those in files of other users.
  let isDoubtful: Bool
  /// Whether every mark could be read.
  let isComplete: Bool
  /// The position of the mark that answers for each subject.
  private let answers: [Claim.Subject: Int]
  private let contradictions: Set<Claim.Subject>

  /// - Parameter isPartial: whether a record, or content, that was asked for could not be read.
  init(_ report: ProvenanceReport, isPartial: Bool) {
    marks = report.marks.map(FoundMark.init)
    parts = report.parts.map(FoundPart.init)
    isDoubtful = report.isDoubtful
    isComplete = !isPartial && report.flaws.isEmpty && marks.allSatisfy(\.isReadable)
    contradictions = Set(report.contradictions.map(\.subject))
    var answers: [Claim.Subject: Int] = [:]
    for subject in Claim.Subject.allCases {
      guard let first = report.first(subject) else { continue }
      answers[subject] = report.marks.firstIndex { Claim.all(of: $0).contains(first) }
    }
    self.answers = answers
  }

  /// Whether the application that the document source on the file names was seen writing the file.
  ///
  /// Such a source is the first mark. The letters of identifiers match in either case.
  var isWitnessed: Bool {
    // Comparing numbers needs no conformance, which would take 400 bytes.
    guard let source = marks.first, source.trust.rawValue == DOCSOURCE_TRUST_CLAIM.rawValue,
      let seen = marks.first(where: { $0.trust.rawValue == DOCSOURCE_TRUST_WITNESSED.rawValue }),
      let named = unsafe source.value(DOCSOURCE_ABOUT_IDENTIFIER)?.text.start,
      let writer = unsafe seen.value(DOCSOURCE_ABOUT_IDENTIFIER)?.text.start
    else { return false }
    return unsafe strcasecmp(named, writer) == 0
  }

  /// - Returns: `nil` for a position outside of the marks.
  func mark(_ position: Int) -> FoundMark? {
    marks.indices.contains(position) ? marks[position] : nil
  }

  func position(_ subject: docsource_subject) -> Int? {
    Claim.Subject(subject).flatMap { answers[$0] }
  }

  func isContradictory(_ subject: docsource_subject) -> Bool {
    Claim.Subject(subject).map(contradictions.contains) ?? false
  }
}

/// One part of the short answer as C holds it.
final class FoundPart {
  let kind: docsource_part
  let origin: CText
  let program: CText
  let time: CText

  init(_ part: OriginPart) {
    kind =
      switch part.kind {
      case .application: DOCSOURCE_PART_APPLICATION
      case .creator: DOCSOURCE_PART_CREATOR
      case .device: DOCSOURCE_PART_DEVICE
      case .download: DOCSOURCE_PART_DOWNLOAD
      case .likelyDownload: DOCSOURCE_PART_LIKELY_DOWNLOAD
      case .message: DOCSOURCE_PART_MESSAGE
      case .package: DOCSOURCE_PART_PACKAGE
      // No report in C has what repositories have recorded.
      case .repository: DOCSOURCE_PART_NONE
      case .page: DOCSOURCE_PART_PAGE
      case .program: DOCSOURCE_PART_PROGRAM
      case .writing: DOCSOURCE_PART_WRITING
      case .zone: DOCSOURCE_PART_ZONE
      }
    origin = CText(part.origin)
    program = CText(part.program)
    time = CText(part.seconds.flatMap(timeText))
  }
}

/// A time in C's words; `nil` outside the years 0 to 9999.
private func timeText(_ seconds: Double) -> String? {
  try? CalendarDate.text(sinceEpoch: seconds)
}

/// One mark of a report as C holds it.
final class FoundMark {
  let name: CText
  let form: CText
  let carrier: CText
  let bytes: CText
  /// Whether the system allows reading the mark.
  let isReadable: Bool
  /// Why the mark makes no claim.
  let failure: CText
  /// The position of the wrong byte in a damaged mark, else -1.
  let offset: Int64
  let trust: docsource_trust
  private let values: [Claim.Subject: HeldText]

  init(_ mark: Mark) {
    name = CText(mark.kind.name)
    form = CText(mark.carrier.form.rawValue)
    carrier = CText(bytes: mark.carrier.name[...])
    bytes = CText(bytes: mark.bytes.isEmpty ? nil : mark.bytes[...])
    trust =
      switch mark.trust {
      case .claim: DOCSOURCE_TRUST_CLAIM
      case .beside: DOCSOURCE_TRUST_BESIDE
      case .foreign: DOCSOURCE_TRUST_FOREIGN
      case .record: DOCSOURCE_TRUST_RECORD
      case .embedded: DOCSOURCE_TRUST_EMBEDDED
      case .witnessed: DOCSOURCE_TRUST_WITNESSED
      }
    let words: String?
    switch mark.content {
    case .value: (isReadable, offset, words) = (true, -1, nil)
    case .empty: (isReadable, offset, words) = (true, -1, "empty")
    case .damaged(let flaw):
      (isReadable, offset, words) = (true, Int64(flaw.offset), "damaged: \(flaw.reason)")
    case .unreadable(let reason):
      (isReadable, offset, words) = (false, -1, "cannot be read: \(reason)")
    }
    failure = CText(words)
    let claims = Claim.all(of: mark).compactMap { claim in
      claim.text.map { (claim.subject, HeldText($0)) }
    }
    // A mark makes one claim about a subject; of several the first counts.
    values = Dictionary(claims) { first, _ in first }
  }

  fileprivate func value(_ subject: docsource_subject) -> HeldText? {
    Claim.Subject(subject).flatMap { values[$0] }
  }
}

extension Claim.Subject {
  /// The number in C; `nil` for the records of the desktop and of repositories, which no report in C has.
  fileprivate var number: docsource_subject? {
    switch self {
    case .identifier: DOCSOURCE_ABOUT_IDENTIFIER
    case .name: DOCSOURCE_ABOUT_NAME
    case .path: DOCSOURCE_ABOUT_PATH
    case .creator: DOCSOURCE_ABOUT_CREATOR
    case .url: DOCSOURCE_ABOUT_URL
    case .referrer: DOCSOURCE_ABOUT_REFERRER
    case .sender: DOCSOURCE_ABOUT_SENDER
    case .agent: DOCSOURCE_ABOUT_AGENT
    case .downloaded: DOCSOURCE_ABOUT_DOWNLOADED
    case .zone: DOCSOURCE_ABOUT_ZONE
    case .taggedByWatch: DOCSOURCE_ABOUT_TAGGED_BY_WATCH
    case .lastUse, .repository: nil
    case .program: DOCSOURCE_ABOUT_PROGRAM
    case .device: DOCSOURCE_ABOUT_DEVICE
    case .package: DOCSOURCE_ABOUT_PACKAGE
    }
  }

  /// - Parameter number: any number that C passes.
  fileprivate init?(_ number: docsource_subject) {
    guard let subject = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = subject
  }
}

extension Claim {
  /// The claim in C's words; `nil` for a time outside the years 0 to 9999.
  fileprivate var text: String? {
    switch value {
    case .text(let text): text
    case .moment(let seconds): timeText(seconds)
    case .zone(let zone): zone.description
    case .use(let use): use.application
    }
  }
}

/// A text for C in a dictionary or array, which hold no noncopyable values.
final class HeldText {
  let text: CText

  init(_ text: String) { self.text = CText(text) }
}
