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

  /// Runs a body and stores the object that it returns in the place that C passes; NULL after a
  /// failure.
  static func give<Object: AnyObject>(
    _ place: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?, _ body: () throws(Failure) -> Object
  ) -> docsource_status {
    unsafe place?.pointee = nil
    return unsafe perform(error) { () throws(Failure) in unsafe Handle.give(try body(), place) }
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
  static let keepOtherFields = CallOptions(DOCSOURCE_KEEP_OTHER_FIELDS)
  static let records = CallOptions(DOCSOURCE_RECORDS)
  static let embedded = CallOptions(DOCSOURCE_EMBEDDED)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(_ option: docsource_option) { rawValue = option.rawValue }

  /// - Parameter known: the options that the function takes.
  init(_ given: UInt32, among known: CallOptions) throws(Failure) {
    rawValue = given
    guard isSubset(of: known) else {
      throw .argument("the function does not support all of the options \(given)")
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

  // An array in between would cost a tenth of the time in which a file's source is read.
  init(_ text: String? = nil) { unsafe (start, count) = Self.copy(text?.utf8) }

  /// Copies bytes in any encoding.
  init(bytes: ArraySlice<UInt8>?) { unsafe (start, count) = Self.copy(bytes) }

  private static func copy(_ bytes: (some Collection<UInt8>)?) -> (UnsafePointer<CChar>?, Int) {
    guard let bytes else { return (nil, 0) }
    let count = bytes.count
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 1, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    unsafe memory[count] = 0
    return unsafe (UnsafePointer(memory.bindMemory(to: CChar.self).baseAddress), count)
  }

  deinit { unsafe start?.deallocate() }
}
