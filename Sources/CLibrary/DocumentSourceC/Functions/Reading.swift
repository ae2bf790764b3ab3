// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource
internal import LinuxSystem
internal import Xattr

@c @implementation
public func docsource_read(
  _ path: UnsafePointer<CChar>?, _ options: UInt32,
  _ source: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe source?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: .noFollow)
    let file = SourceFile(.path(unsafe try Argument.path(path), links: options.links))
    unsafe Handle.give(try file.read(), source)
  }
}

@c @implementation
public func docsource_read_fd(
  _ descriptor: CInt, _ options: UInt32, _ source: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe source?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    _ = try CallOptions(options, among: [])
    unsafe Handle.give(try SourceFile.open(descriptor).read(), source)
  }
}

@c @implementation
public func docsource_read_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ source: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe source?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: .noFollow)
    let file = unsafe SourceFile(entry: try Argument.path(name), in: directory, options)
    unsafe Handle.give(try file.read(), source)
  }
}

@c @implementation
public func docsource_source_value(
  _ source: OpaquePointer?, _ field: docsource_field, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let value = unsafe Handle<FoundSource>.object(source)?.value(field)
  unsafe length?.pointee = value?.count ?? 0
  return unsafe value?.start
}

@c @implementation
public func docsource_source_carrier(_ source: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle<FoundSource>.object(source)?.carrier.start
}

@c @implementation
public func docsource_source_free(_ source: OpaquePointer?) {
  unsafe Handle<FoundSource>.free(source)
}
