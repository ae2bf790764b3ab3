// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import BinaryPropertyList
public import CDocumentSource
internal import DocumentSource
internal import LinuxSystem
internal import Xattr

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

// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

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

/// Why a call failed, or gave nothing.
struct Failure: Error {
  let status: docsource_status
  /// In words that follow the file's name.
  let message: String
  var errno: Errno?
  /// What is wrong with a damaged value.
  var damage: DamagedValue?
  /// The attribute whose value is damaged or holds no source.
  var carrier: Carrier?

  init(_ status: docsource_status, _ message: String, errno: Errno? = nil) {
    self.status = status
    self.message = message
    self.errno = errno
  }

  /// An argument that makes no sense.
  static func argument(_ message: String) -> Failure {
    Failure(DOCSOURCE_INVALID_ARGUMENT, message)
  }

  /// What reading found where there is no source.
  init(_ absence: Absence, in stored: StoredValue?) {
    self.init(DOCSOURCE_NO_SOURCE, absence.description)
    carrier = stored?.carrier
  }

  /// What reading found where the value is damaged.
  init(_ damaged: DamagedValue, in stored: StoredValue) {
    self.init(DOCSOURCE_DAMAGED, "cannot read document source: \(damaged)")
    damage = damaged
    carrier = stored.carrier
  }

  init(_ error: DocumentSourceError) {
    switch error.cause {
    case .attribute(let failure):
      self.init(Self.status(failure), error.message, errno: failure.errno)
    case .damaged(let damaged):
      self.init(DOCSOURCE_DAMAGED, error.message)
      damage = damaged
    case .refused, .unencodable, .request:
      self.init(DOCSOURCE_REFUSED, error.message)
    }
  }

  /// Why no mark of a file can be read.
  init(marks error: XattrError) {
    self.init(
      Self.status(error), "cannot read marks of origin: \(error.reason)", errno: error.errno)
  }

  private static func status(_ error: XattrError) -> docsource_status {
    switch (error.errno, error.circumstance) {
    case (.noSuchFile, _), (.notDirectory, _), (.staleHandle, _): DOCSOURCE_NOT_FOUND
    case (.notSupported, _), (.notPermitted, .link), (.notPermitted, .special):
      DOCSOURCE_NOT_SUPPORTED
    case (.notPermitted, _), (.permissionDenied, _), (.readOnlyFileSystem, _):
      DOCSOURCE_NOT_PERMITTED
    case (.noSpace, _), (.quotaExceeded, _), (.argumentListTooLong, _): DOCSOURCE_NO_SPACE
    case (.badFileDescriptor, _): DOCSOURCE_INVALID_ARGUMENT
    default: DOCSOURCE_SYSTEM_ERROR
    }
  }
}

/// A failure as C holds it: `docsource_error`.
final class Failed {
  let status: docsource_status
  let number: CInt
  /// Of the byte that is wrong; -1 where no value is damaged.
  let offset: Int64
  let message: CText
  let reason: CText
  let carrier: CText

  init(_ failure: Failure) {
    status = failure.status
    number = failure.errno?.rawValue ?? 0
    offset = failure.damage.map { Int64($0.failure.offset) } ?? -1
    message = CText(failure.message)
    reason = CText(failure.damage.map { $0.failure.reason.description })
    carrier = CText(bytes: failure.carrier?.attributeName.bytes)
  }
}
