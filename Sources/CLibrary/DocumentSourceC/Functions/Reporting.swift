// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource
internal import LinuxSystem
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
    unsafe Handle.give(try file.report(), report)
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
    unsafe Handle.give(try SourceFile.open(descriptor).report(), report)
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
    unsafe Handle.give(try file.report(), report)
  }
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

private func found(_ mark: Int, in report: OpaquePointer?) -> FoundMark? {
  unsafe Handle<FoundReport>.object(report)?.mark(mark)
}

@c @implementation
public func docsource_report_mark_name(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe found(mark, in: report)?.name.start
}

@c @implementation
public func docsource_report_mark_form(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe found(mark, in: report)?.form.start
}

@c @implementation
public func docsource_report_mark_carrier(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe found(mark, in: report)?.carrier.start
}

@c @implementation
public func docsource_report_mark_trust(
  _ report: OpaquePointer?, _ mark: Int
) -> docsource_trust {
  unsafe found(mark, in: report)?.trust ?? DOCSOURCE_TRUST_CLAIM
}

@c @implementation
public func docsource_report_mark_value(
  _ report: OpaquePointer?, _ mark: Int, _ subject: docsource_subject,
  _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(found(mark, in: report), subject, length)
}

@c @implementation
public func docsource_report_mark_failure(
  _ report: OpaquePointer?, _ mark: Int
) -> UnsafePointer<CChar>? {
  unsafe found(mark, in: report)?.failure.start
}

@c @implementation
public func docsource_report_mark_offset(_ report: OpaquePointer?, _ mark: Int) -> Int64 {
  unsafe found(mark, in: report)?.offset ?? -1
}

@c @implementation
public func docsource_report_mark_bytes(
  _ report: OpaquePointer?, _ mark: Int, _ size: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  let one = unsafe found(mark, in: report)
  unsafe size?.pointee = one?.bytes.count ?? 0
  return unsafe UnsafeRawPointer(one?.bytes.start)
}

@c @implementation
public func docsource_report_free(_ report: OpaquePointer?) {
  unsafe Handle<FoundReport>.free(report)
}
