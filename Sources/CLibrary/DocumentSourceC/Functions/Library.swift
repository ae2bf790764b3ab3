// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CDocumentSource

@c @implementation
public func docsource_abi_version() -> UInt32 {
  UInt32(DOCSOURCE_ABI_MAJOR) << 16 | UInt32(DOCSOURCE_ABI_MINOR)
}

@c @implementation
public func docsource_status_text(_ status: CInt) -> UnsafePointer<CChar>? {
  let text: StaticString =
    switch UInt32(bitPattern: status) {
    case DOCSOURCE_OK.rawValue: "done"
    case DOCSOURCE_NO_SOURCE.rawValue: "no document source"
    case DOCSOURCE_DAMAGED.rawValue: "the document source is damaged"
    case DOCSOURCE_NOT_FOUND.rawValue: "no such file"
    case DOCSOURCE_NOT_PERMITTED.rawValue: "the system does not permit it"
    case DOCSOURCE_NOT_SUPPORTED.rawValue: "no user attributes can be stored there"
    case DOCSOURCE_NO_SPACE.rawValue: "no room for the value"
    case DOCSOURCE_REFUSED.rawValue: "the value must not be written"
    case DOCSOURCE_INVALID_ARGUMENT.rawValue: "an argument makes no sense"
    case DOCSOURCE_SYSTEM_ERROR.rawValue: "the system reported an error"
    case DOCSOURCE_NO_ICON.rawValue: "no icon"
    case DOCSOURCE_RUNNING.rawValue: "not ended yet"
    case DOCSOURCE_CANCELLED.rawValue: "cancelled"
    case DOCSOURCE_FETCH_FAILED.rawValue: "the icon could not be fetched"
    case DOCSOURCE_NOT_INSTALLED.rawValue: "docsource-fetch is not installed"
    default: "unknown status"
    }
  // A string literal has a NUL behind it and lives as long as the code.
  return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
