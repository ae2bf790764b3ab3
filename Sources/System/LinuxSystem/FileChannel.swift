internal import CLinux
internal import Glibc

/// One end of a socket that keeps messages apart and carries descriptors with them.
package final class FileChannel {
  /// A message and the descriptors that came with it, which the receiver closes.
  package struct Packet {
    package let bytes: ArraySlice<UInt8>
    package let files: [CInt]
  }

  package enum Received {
    /// Nothing has come.
    case none
    /// The other side is gone.
    case ended
    case packet(Packet)
  }

  /// The most bytes of a message: less than a socket's usual room.
  package static let limit = 128 << 10

  package let descriptor: CInt
  private let buffer: PacketBuffer

  /// - Parameter descriptor: closed with this.
  package init(_ descriptor: CInt, _ buffer: PacketBuffer) {
    self.descriptor = descriptor
    self.buffer = buffer
  }

  deinit { close(descriptor) }

  /// Two ends that are connected.
  ///
  /// The corresponding C function is socketpair(2).
  package static func pair(_ buffer: PacketBuffer) throws(Errno) -> (
    ours: FileChannel, theirs: CInt
  ) {
    var ends: [CInt] = [-1, -1]
    let result = unsafe clinux_channel_pair(&ends)
    guard result == 0 else { throw Errno(rawValue: -result) }
    return (FileChannel(ends[0], buffer), ends[1])
  }

  /// Sends a message with copies of open files.
  ///
  /// The corresponding C function is sendmsg(2).
  ///
  /// - Parameter waits: whether to wait for room.
  /// - Throws: `Errno`: EAGAIN if there is no room, EPIPE if the other side is gone, EMSGSIZE.
  package func send(_ bytes: [UInt8], _ files: [CInt] = [], waits: Bool) throws(Errno) {
    let result = unsafe bytes.withUnsafeBytes { bytes -> CInt in
      guard let start = bytes.baseAddress else { return -EINVAL }
      return unsafe files.withUnsafeBufferPointer {
        unsafe clinux_channel_send(
          descriptor, start, bytes.count, $0.baseAddress, $0.count, waits ? 1 : 0)
      }
    }
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// The next message.
  ///
  /// The corresponding C function is recvmsg(2).
  ///
  /// - Parameter waits: whether to wait for one.
  package func receive(waits: Bool = false) -> Received { buffer.receive(descriptor, waits: waits) }
}

/// Room for one message, which all channels of a process share.
@safe package final class PacketBuffer {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: FileChannel.limit, alignment: 8)
  private let files = UnsafeMutableBufferPointer<CInt>.allocate(capacity: clinux_channel_files)

  package init() {}

  deinit {
    unsafe bytes.deallocate()
    unsafe files.deallocate()
  }

  fileprivate func receive(_ descriptor: CInt, waits: Bool) -> FileChannel.Received {
    guard let start = unsafe bytes.baseAddress, let first = unsafe files.baseAddress else {
      return .ended
    }
    var count = 0
    let size = unsafe clinux_channel_receive(
      descriptor, start, bytes.count, first, &count, waits ? 1 : 0)
    switch size {
    case -Int(EAGAIN): return .none
    case ...0: return .ended
    default:
      return unsafe .packet(
        FileChannel.Packet(
          bytes: Array(bytes.prefix(size))[...], files: Array(files.prefix(count))))
    }
  }
}
