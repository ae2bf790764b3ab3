internal import AppIcon
internal import CDocumentSource
internal import LinuxSystem

/// The body of one of the library's functions.
enum Call {
  /// Runs a body and returns its status.
  ///
  /// - Parameter error: the caller's place for a `docsource_error`; NULL after success.
  static func perform(
    _ error: UnsafeMutablePointer<OpaquePointer?>?, _ body: () throws(Failure) -> Void
  ) -> docsource_status {
    unsafe error?.pointee = nil
    do throws(Failure) {
      try body()
      return DOCSOURCE_OK
    } catch let failure {
      unsafe Handle.give(failure, error)
      return failure.status
    }
  }
}

/// The options of a call, `docsource_option`.
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

  /// - Parameter known: the options that the function takes.
  init(_ given: UInt32, among known: CallOptions) throws(Failure) {
    rawValue = given
    guard isSubset(of: known) else {
      throw .argument("the function does not know all of the options \(given)")
    }
  }

  var links: Links { contains(.noFollow) ? .noFollow : .follow }
}

/// Checks of the arguments that C passes.
enum Argument {
  static func path(_ path: UnsafePointer<CChar>?) throws(Failure) -> FilePath {
    guard let path = unsafe path else { throw .argument("no path is given") }
    return unsafe FilePath(cString: path)
  }

  /// Returns a text in UTF-8, or `nil` for NULL.
  ///
  /// - Parameter name: the argument's name in messages.
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
/// The pointer owns one reference to the object, which `free` releases. The header forbids C to use
/// a pointer after it is freed, or as a pointer of another type.
enum Handle<Object: AnyObject> {
  static func make(_ object: Object) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Stores an object in the place that C passes, unless that is NULL.
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

/// Text for C, or NULL: a NUL-terminated copy that keeps its address until it is deallocated.
///
/// `@unchecked`: the copy is written before `init` returns and only read afterwards.
@safe struct CText: ~Copyable, @unchecked Sendable {
  let start: UnsafePointer<CChar>?
  /// The length in bytes, without the NUL.
  let count: Int

  init(_ text: String? = nil) {
    guard var text else {
      unsafe start = nil
      count = 0
      return
    }
    unsafe start = text.withUTF8 { unsafe Self.copy(UnsafeRawBufferPointer($0)) }
    count = text.utf8.count
  }

  /// Copies bytes in any encoding.
  init(bytes: ArraySlice<UInt8>?) {
    guard let bytes else {
      unsafe start = nil
      count = 0
      return
    }
    unsafe start = bytes.withUnsafeBytes { unsafe Self.copy($0) }
    count = bytes.count
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
    unsafe memory.copyMemory(from: bytes)
    unsafe memory[bytes.count] = 0
    return unsafe UnsafePointer(memory.bindMemory(to: CChar.self).baseAddress)
  }

  deinit { unsafe start?.deallocate() }
}
