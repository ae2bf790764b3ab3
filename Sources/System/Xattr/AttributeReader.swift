internal import CXattr
package import LinuxSystem

/// Reads one attribute of many files.
///
/// The value stands in a buffer that all calls share, so that reading allocates nothing. A reader
/// is for one thread.
@safe
package final class AttributeReader {
  /// What there is by the attribute's name.
  @safe
  package enum Reading {
    case absent
    /// A value, for as long as nothing else is read.
    case value(UnsafeRawBufferPointer)
    /// The kernel refuses, or the value is longer than the buffer: `ExtendedAttributes` tells more.
    case unknown
  }

  private let name: AttributeName
  private let buffer: UnsafeMutableRawBufferPointer
  private let route: cxattr_route

  package init(_ name: AttributeName) {
    self.name = name
    unsafe buffer = .allocate(byteCount: WholeValue.firstTry, alignment: 16)
    route = cxattr_best_route()
  }

  deinit { unsafe buffer.deallocate() }

  /// Reads the attribute of a file itself, never of what a link leads to.
  ///
  /// The corresponding C function is `getxattrat`.
  package func read(_ file: borrowing EntryReference) -> Reading {
    let result = unsafe SystemCalls.get(file, name, into: buffer, route)
    if result >= 0 {
      return unsafe .value(UnsafeRawBufferPointer(rebasing: buffer[..<result]))
    }
    return result == -Int(Errno.noData.rawValue) ? .absent : .unknown
  }
}
