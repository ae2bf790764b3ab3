internal import CDocumentSource
internal import LinuxSystem

/// What a call is to do otherwise than usual.
struct CallOptions: OptionSet {
  let rawValue: UInt32

  static let noFollow = CallOptions(DOCSOURCE_NO_FOLLOW)
  static let replace = CallOptions(DOCSOURCE_REPLACE)
  static let anyURL = CallOptions(DOCSOURCE_ANY_URL)
  static let noOutline = CallOptions(DOCSOURCE_NO_OUTLINE)
  static let noStroke = CallOptions(DOCSOURCE_NO_STROKE)
  static let offline = CallOptions(DOCSOURCE_OFFLINE)
  static let refresh = CallOptions(DOCSOURCE_REFRESH)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(_ option: docsource_option) { rawValue = option.rawValue }

  /// - Parameter known: what the function knows.
  init(_ given: UInt32, among known: CallOptions) throws(Failure) {
    rawValue = given
    guard isSubset(of: known) else {
      throw .argument("the function does not know all of the options \(given)")
    }
  }

  var links: Links { contains(.noFollow) ? .noFollow : .follow }
}
