// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource
internal import LinuxSystem
internal import Xattr

@c @implementation
public func docsource_write(
  _ path: UnsafePointer<CChar>?, _ options: UInt32, _ values: UnsafePointer<docsource_values>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: [.noFollow, .replace, .anyURL])
    let file = SourceFile(.path(unsafe try Argument.path(path), links: options.links))
    unsafe try file.write(values, options)
  }
}

@c @implementation
public func docsource_write_fd(
  _ descriptor: CInt, _ options: UInt32, _ values: UnsafePointer<docsource_values>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: [.replace, .anyURL])
    unsafe try SourceFile.open(descriptor).write(values, options)
  }
}

@c @implementation
public func docsource_write_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ values: UnsafePointer<docsource_values>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: [.noFollow, .replace, .anyURL])
    let file = unsafe SourceFile(entry: try Argument.path(name), in: directory, options)
    unsafe try file.write(values, options)
  }
}

@c @implementation
public func docsource_remove(
  _ path: UnsafePointer<CChar>?, _ options: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: .noFollow)
    try SourceFile(.path(unsafe try Argument.path(path), links: options.links)).remove()
  }
}

@c @implementation
public func docsource_remove_fd(
  _ descriptor: CInt, _ options: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    _ = try CallOptions(options, among: [])
    try SourceFile.open(descriptor).remove()
  }
}

@c @implementation
public func docsource_remove_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: .noFollow)
    try SourceFile(entry: unsafe try Argument.path(name), in: directory, options).remove()
  }
}
