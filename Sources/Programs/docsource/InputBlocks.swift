import Glibc
import LinuxSystem

/// An open file, or standard input, that is read block by block.
final class InputBlocks {
  private let descriptor: CInt
  private let isOurs: Bool

  /// Closes the descriptor at the end of its life.
  init(closing descriptor: CInt) {
    self.descriptor = descriptor
    isOurs = true
  }

  /// Leaves the descriptor open.
  init(reading descriptor: CInt) {
    self.descriptor = descriptor
    isOurs = false
  }

  deinit {
    if isOurs { close(descriptor) }
  }

  /// Returns the next bytes, none at the end.
  func next() throws(Errno) -> [UInt8] { try Descriptor.readBlock(descriptor) }
}
