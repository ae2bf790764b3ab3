internal import CDocumentSource
internal import DocumentSource
internal import LinuxSystem
internal import Xattr

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
    // The options are named as documentsource.h says.
    let help =
      switch error.remedy {
      case .startingAfresh: "; --replace starts afresh"
      case .removal: "; 'docsource remove' removes the attribute"
      case .anyScheme: "; --insecure-url allows it"
      case nil: ""
      }
    let message = error.message + help
    switch error.cause {
    case .attribute(let failure):
      self.init(Self.status(failure), message, errno: failure.errno)
    case .damaged(let damaged):
      self.init(DOCSOURCE_DAMAGED, message)
      damage = damaged
    case .refused, .unencodable, .noFieldLeft, .notDictionary, .request:
      self.init(DOCSOURCE_REFUSED, message)
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
