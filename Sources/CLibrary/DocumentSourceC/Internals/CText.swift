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
