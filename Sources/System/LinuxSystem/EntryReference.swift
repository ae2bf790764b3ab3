/// A file by its name in an open directory, for as long as both are at hand.
///
/// It has no copy of the name, so that it cannot be kept. A `FileReference` can.
@safe
package struct EntryReference: ~Copyable {
  package let directory: CInt
  private let name: UnsafeBufferPointer<UInt8>

  /// - Parameter name: stays where it is while this is used, as does the NUL behind it.
  package init(directory: CInt, terminatedName name: UnsafeBufferPointer<UInt8>) {
    self.directory = directory
    unsafe self.name = name
  }

  /// Calls `body` with the name as a NUL-terminated C string.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard let base = unsafe name.baseAddress else { preconditionFailure("a name has its NUL") }
    return unsafe body(UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self))
  }

  /// Calls `body` with the bytes of the name, without a NUL.
  package func withName<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    unsafe body(name)
  }
}
