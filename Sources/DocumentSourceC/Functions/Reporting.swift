// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource
internal import Provenance
internal import Xattr

@c @implementation
public func docsource_report_read(
  _ path: UnsafePointer<CChar>?, _ options: UInt32,
  _ report: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe report?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: .noFollow)
    let file = SourceFile(.path(unsafe try Argument.path(path), links: options.links))
    unsafe give(try file.report(), report)
  }
}

@c @implementation
public func docsource_report_read_fd(
  _ descriptor: CInt, _ options: UInt32, _ report: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe report?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    _ = try CallOptions(options, among: [])
    unsafe give(try SourceFile.open(descriptor).report(), report)
  }
}

@c @implementation
public func docsource_report_read_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ report: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe report?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: .noFollow)
    let file = unsafe SourceFile(entry: try Argument.path(name), in: directory, options)
    unsafe give(try file.report(), report)
  }
}

private func give(_ found: FoundReport, _ report: UnsafeMutablePointer<OpaquePointer?>?) {
  if let report = unsafe report { unsafe report.pointee = Handle.make(found) }
}

private func text(
  _ mark: FoundMark?, _ subject: docsource_subject, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let held = Claim.Subject(subject).flatMap { mark?.text($0) }
  unsafe length?.pointee = held?.text.count ?? 0
  return unsafe held?.text.start
}

@c @implementation
public func docsource_report_value(
  _ report: OpaquePointer?, _ subject: docsource_subject, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let report = unsafe Handle<FoundReport>.object(report)
  let mark = report?.position(subject).flatMap { report?.mark($0) }
  return unsafe text(mark, subject, length)
}

@c @implementation
public func docsource_report_mark(
  _ report: OpaquePointer?, _ subject: docsource_subject
) -> Int64 {
  unsafe Int64(Handle<FoundReport>.object(report)?.position(subject) ?? -1)
}

@c @implementation
public func docsource_report_is_contradictory(
  _ report: OpaquePointer?, _ subject: docsource_subject
) -> CInt {
  unsafe Handle<FoundReport>.object(report)?.isContradictory(subject) == true ? 1 : 0
}

@c @implementation
public func docsource_report_is_complete(_ report: OpaquePointer?) -> CInt {
  unsafe Handle<FoundReport>.object(report)?.isComplete == true ? 1 : 0
}

@c @implementation
public func docsource_report_count(_ report: OpaquePointer?) -> Int {
  unsafe Handle<FoundReport>.object(report)?.marks.count ?? 0
}

private func mark(_ position: Int, of report: OpaquePointer?) -> FoundMark? {
  unsafe Handle<FoundReport>.object(report)?.mark(position)
}

@c @implementation
public func docsource_report_mark_name(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe DocumentSourceC.mark(mark, of: report)?.name.start
}

@c @implementation
public func docsource_report_mark_form(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe DocumentSourceC.mark(mark, of: report)?.form.start
}

@c @implementation
public func docsource_report_mark_carrier(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe DocumentSourceC.mark(mark, of: report)?.carrier.start
}

@c @implementation
public func docsource_report_mark_trust(
  _ report: OpaquePointer?, _ mark: Int
) -> docsource_trust {
  unsafe DocumentSourceC.mark(mark, of: report)?.trust ?? DOCSOURCE_TRUST_CLAIM
}

@c @implementation
public func docsource_report_mark_value(
  _ report: OpaquePointer?, _ mark: Int, _ subject: docsource_subject,
  _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(DocumentSourceC.mark(mark, of: report), subject, length)
}

@c @implementation
public func docsource_report_mark_failure(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe DocumentSourceC.mark(mark, of: report)?.failure.start
}

@c @implementation
public func docsource_report_mark_offset(_ report: OpaquePointer?, _ mark: Int) -> Int64 {
  unsafe DocumentSourceC.mark(mark, of: report)?.offset ?? -1
}

@c @implementation
public func docsource_report_mark_bytes(
  _ report: OpaquePointer?, _ mark: Int, _ size: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  let found = unsafe DocumentSourceC.mark(mark, of: report)
  unsafe size?.pointee = found?.bytes.count ?? 0
  return unsafe UnsafeRawPointer(found?.bytes.start)
}

@c @implementation
public func docsource_report_free(_ report: OpaquePointer?) {
  unsafe Handle<FoundReport>.free(report)
}
