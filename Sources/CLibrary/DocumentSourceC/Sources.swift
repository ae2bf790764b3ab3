// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource
internal import DocumentSource
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

// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

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

/// A document source as C holds it: `docsource_source`.
final class FoundSource {
  private let identifier: CText
  private let name: CText
  private let path: CText
  private let appInfoURL: CText
  let carrier: CText

  init(_ source: DocumentSource, in carrier: Carrier) {
    identifier = CText(source.identifier)
    name = CText(source.name)
    path = CText(source.path)
    appInfoURL = CText(source.appInfoURL)
    self.carrier = CText(bytes: carrier.attributeName.bytes)
  }

  func value(_ field: docsource_field) -> (start: UnsafePointer<CChar>?, count: Int) {
    switch field {
    case DOCSOURCE_IDENTIFIER: unsafe (identifier.start, identifier.count)
    case DOCSOURCE_NAME: unsafe (name.start, name.count)
    case DOCSOURCE_PATH: unsafe (path.start, path.count)
    case DOCSOURCE_APP_INFO_URL: unsafe (appInfoURL.start, appInfoURL.count)
    default: (nil, 0)
    }
  }
}
