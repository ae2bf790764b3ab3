// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource

@c @implementation
public func docsource_error_status(_ error: OpaquePointer?) -> docsource_status {
  unsafe Handle<Failed>.object(error)?.status ?? DOCSOURCE_INVALID_ARGUMENT
}

@c @implementation
public func docsource_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle<Failed>.object(error)?.message.start
}

@c @implementation
public func docsource_error_number(_ error: OpaquePointer?) -> CInt {
  unsafe Handle<Failed>.object(error)?.number ?? 0
}

@c @implementation
public func docsource_error_reason(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle<Failed>.object(error)?.reason.start
}

@c @implementation
public func docsource_error_offset(_ error: OpaquePointer?) -> Int64 {
  unsafe Handle<Failed>.object(error)?.offset ?? -1
}

@c @implementation
public func docsource_error_carrier(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle<Failed>.object(error)?.carrier.start
}

@c @implementation
public func docsource_error_free(_ error: OpaquePointer?) {
  unsafe Handle<Failed>.free(error)
}
