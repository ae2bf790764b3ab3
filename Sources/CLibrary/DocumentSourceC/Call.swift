internal import AppIcon
internal import CDocumentSource
internal import LinuxSystem

/// A function's body, with its failure given to the caller.
enum Call {
  static func perform(
    _ error: UnsafeMutablePointer<OpaquePointer?>?, _ body: () throws(Failure) -> Void
  ) -> docsource_status {
    unsafe error?.pointee = nil
    do throws(Failure) {
      try body()
      return DOCSOURCE_OK
    } catch let failure {
      unsafe Handle.give(Failed(failure), error)
      return failure.status
    }
  }
}

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

/// What C gives, checked.
enum Argument {
  static func path(_ path: UnsafePointer<CChar>?) throws(Failure) -> FilePath {
    guard let path = unsafe path else { throw .argument("no path is given") }
    return unsafe FilePath(cString: path)
  }

  /// A text in UTF-8, or `nil` where none is given.
  ///
  /// - Parameter name: what it is, for a message.
  static func text(
    _ text: UnsafePointer<CChar>?, _ name: String
  ) throws(Failure) -> String? {
    guard let text = unsafe text else { return nil }
    guard let valid = unsafe String(validatingCString: text) else {
      throw .argument("\(name) is not UTF-8")
    }
    return valid
  }

  static func size(points: Double, scale: Double) throws(Failure) -> IconSize {
    guard let size = IconSize(points: points, scale: scale) else {
      throw .argument("\(points) points at \(scale) make no icon of 1 to \(IconSize.limit) pixels")
    }
    return size
  }
}

/// An object that C holds by an opaque pointer.
///
/// The pointer stands for one reference to the object, which `free` gives back. That C uses none
/// after its end, or one as another's, is what the header asks of it.
enum Handle<Object: AnyObject> {
  static func make(_ object: Object) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Hands an object to C where C has a place for it.
  static func give(_ object: Object, _ place: UnsafeMutablePointer<OpaquePointer?>?) {
    if let place = unsafe place { unsafe place.pointee = make(object) }
  }

  static func object(_ handle: OpaquePointer?) -> Object? {
    guard let handle = unsafe handle else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  static func free(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
  }
}

/// Text for C, or none: a copy with a NUL behind it, which stays where it is until it is dropped.
@safe struct CText: ~Copyable {
  let start: UnsafePointer<CChar>?
  /// Its length in bytes, without that NUL.
  let count: Int

  init(_ text: String?) {
    guard var text else {
      unsafe start = nil
      count = 0
      return
    }
    unsafe start = text.withUTF8 { unsafe Self.copy(UnsafeRawBufferPointer($0)) }
    count = text.utf8.count
  }

  /// Copies bytes that are in no particular encoding.
  init(bytes: ArraySlice<UInt8>?) {
    guard let bytes else {
      unsafe start = nil
      count = 0
      return
    }
    unsafe start = bytes.withUnsafeBytes { unsafe Self.copy($0) }
    count = bytes.count
  }

  /// No text.
  init() {
    unsafe start = nil
    count = 0
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
    unsafe memory.copyMemory(from: bytes)
    unsafe memory[bytes.count] = 0
    return unsafe UnsafePointer(memory.bindMemory(to: CChar.self).baseAddress)
  }

  deinit { unsafe start?.deallocate() }
}
