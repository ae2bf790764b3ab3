// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import BinaryPropertyList
public import CDocumentSource
internal import DocumentSource
internal import LinuxSystem
internal import Xattr

@c @implementation public func docsource_abi_version() -> UInt32 {
  UInt32(DOCSOURCE_ABI_MAJOR) << 16 | UInt32(DOCSOURCE_ABI_MINOR)
}

@c @implementation public func docsource_status_text(_ status: CInt) -> UnsafePointer<CChar>? {
  let text: StaticString =
    switch UInt32(bitPattern: status) {
    case DOCSOURCE_OK.rawValue: "done"
    case DOCSOURCE_NO_SOURCE.rawValue: "no document source"
    case DOCSOURCE_DAMAGED.rawValue: "the document source is damaged"
    case DOCSOURCE_NOT_FOUND.rawValue: "no such file"
    case DOCSOURCE_NOT_PERMITTED.rawValue: "operation not permitted"
    case DOCSOURCE_NOT_SUPPORTED.rawValue: "the file cannot store user attributes"
    case DOCSOURCE_NO_SPACE.rawValue: "no space for the value"
    case DOCSOURCE_REFUSED.rawValue: "the value must not be written"
    case DOCSOURCE_INVALID_ARGUMENT.rawValue: "invalid argument"
    case DOCSOURCE_SYSTEM_ERROR.rawValue: "the system reported an error"
    case DOCSOURCE_NO_ICON.rawValue: "no icon"
    case DOCSOURCE_RUNNING.rawValue: "still running"
    case DOCSOURCE_CANCELLED.rawValue: "cancelled"
    case DOCSOURCE_FETCH_FAILED.rawValue: "the icon could not be fetched"
    case DOCSOURCE_NOT_INSTALLED.rawValue: "docsource-fetch is not installed"
    default: "unknown status"
    }
  // A string literal ends with a NUL and lives as long as the code.
  return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation public func docsource_error_status(_ error: OpaquePointer?) -> docsource_status {
  unsafe Handle<Failure>.object(error)?.status ?? DOCSOURCE_INVALID_ARGUMENT
}

@c @implementation public func docsource_error_message(_ error: OpaquePointer?) -> UnsafePointer<
  CChar
>? {
  unsafe Handle<Failure>.object(error)?.message.start
}

@c @implementation public func docsource_error_number(_ error: OpaquePointer?) -> CInt {
  unsafe Handle<Failure>.object(error)?.number ?? 0
}

@c @implementation public func docsource_error_reason(_ error: OpaquePointer?) -> UnsafePointer<
  CChar
>? {
  unsafe Handle<Failure>.object(error)?.reason.start
}

@c @implementation public func docsource_error_offset(_ error: OpaquePointer?) -> Int64 {
  unsafe Handle<Failure>.object(error)?.offset ?? -1
}

@c @implementation public func docsource_error_carrier(_ error: OpaquePointer?) -> UnsafePointer<
  CChar
>? {
  unsafe Handle<Failure>.object(error)?.carrier.start
}

@c @implementation public func docsource_error_free(_ error: OpaquePointer?) {
  unsafe Handle<Failure>.free(error)
}

/// Why a call failed or found nothing, as C holds it: `docsource_error`.
final class Failure: Error {
  let status: docsource_status
  /// Follows the file's name.
  let message: CText
  /// The errno, or 0.
  let number: CInt
  /// The position of the wrong byte in a damaged value, else -1.
  let offset: Int64
  /// The flaw of a damaged value.
  let reason: CText
  /// The attribute whose value is damaged or holds no source.
  let carrier: CText

  init(
    _ status: docsource_status, _ message: String, errno: Errno? = nil,
    damage: DamagedValue? = nil, carrier: SourceAttribute? = nil
  ) {
    self.status = status
    self.message = CText(message)
    number = errno?.rawValue ?? 0
    offset = damage.map { Int64($0.failure.offset) } ?? -1
    reason = CText(damage.map { $0.failure.reason.description })
    self.carrier = CText(bytes: carrier?.attributeName.bytes)
  }

  /// A damaged share item.
  init(item reason: String, at offset: Int) {
    status = DOCSOURCE_DAMAGED
    message = CText("cannot read share item: \(reason) (at byte \(offset))")
    number = 0
    self.offset = Int64(offset)
    self.reason = CText(reason)
    carrier = CText()
  }

  static func argument(_ message: String) -> Failure {
    Failure(DOCSOURCE_INVALID_ARGUMENT, message)
  }

  /// - Parameter carrier: the attribute whose value holds no source.
  convenience init(_ absence: Absence, in carrier: SourceAttribute? = nil) {
    self.init(DOCSOURCE_NO_SOURCE, absence.description, carrier: carrier)
  }

  /// A damaged value that was read.
  convenience init(_ damage: DamagedValue, in carrier: SourceAttribute) {
    self.init(
      DOCSOURCE_DAMAGED, "cannot read document source: \(damage)", damage: damage,
      carrier: carrier)
  }

  convenience init(_ error: DocumentSourceError) {
    let help =
      switch error.remedy {
      case .startingAfresh: "; DOCSOURCE_REPLACE overwrites the value"
      case .removal: "; docsource_remove() removes the attribute"
      case .anyScheme: "; DOCSOURCE_ANY_URL allows other schemes"
      case nil: ""
      }
    let message = error.message + help
    switch error.cause {
    case .attribute(let failure):
      self.init(Self.status(failure), message, errno: failure.errno)
    case .damaged(let damage):
      self.init(DOCSOURCE_DAMAGED, message, damage: damage)
    case .refused, .unencodable, .noFieldLeft, .notDictionary, .request:
      self.init(DOCSOURCE_REFUSED, message)
    }
  }

  /// A failure to read any mark of a file.
  convenience init(marks error: XattrError) {
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
