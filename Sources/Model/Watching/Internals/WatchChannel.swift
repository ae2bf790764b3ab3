internal import CLinux
internal import CompanionProtocol
internal import FileTree
internal import Glibc
internal import LinuxSystem

/// One end of the socket between the reader of events and a process that works for it. The socket
/// keeps messages apart and carries descriptors with them.
final class WatchChannel {
  /// A message and the descriptors that came with it, which the receiver closes.
  struct Packet {
    let bytes: ArraySlice<UInt8>
    let files: [CInt]
  }

  enum Received {
    /// Nothing has come.
    case none
    /// The other side is gone.
    case ended
    case packet(Packet)
  }

  /// The most bytes of a message: less than a socket's usual room.
  static let limit = 128 << 10

  let descriptor: CInt
  private let buffer: PacketBuffer

  /// - Parameter descriptor: closed with this.
  init(_ descriptor: CInt, _ buffer: PacketBuffer) {
    self.descriptor = descriptor
    self.buffer = buffer
  }

  deinit { close(descriptor) }

  /// Two ends that are connected.
  ///
  /// The corresponding C function is socketpair(2).
  static func pair(_ buffer: PacketBuffer) throws(Errno) -> (ours: WatchChannel, theirs: CInt) {
    var ends: [CInt] = [-1, -1]
    let result = unsafe clinux_channel_pair(&ends)
    guard result == 0 else { throw Errno(rawValue: -result) }
    return (WatchChannel(ends[0], buffer), ends[1])
  }

  /// Sends a message with copies of open files.
  ///
  /// The corresponding C function is sendmsg(2).
  ///
  /// - Parameter waits: whether to wait for room.
  /// - Throws: `Errno`: EAGAIN if there is no room, EPIPE if the other side is gone, EMSGSIZE.
  func send(_ bytes: [UInt8], _ files: [CInt] = [], waits: Bool) throws(Errno) {
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
  func receive(waits: Bool = false) -> Received { buffer.receive(descriptor, waits: waits) }
}

/// Room for one message, which all channels of a process share.
@safe final class PacketBuffer {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: WatchChannel.limit, alignment: 8)
  private let files = UnsafeMutableBufferPointer<CInt>.allocate(capacity: clinux_channel_files)

  deinit {
    unsafe bytes.deallocate()
    unsafe files.deallocate()
  }

  fileprivate func receive(_ descriptor: CInt, waits: Bool) -> WatchChannel.Received {
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
        WatchChannel.Packet(
          bytes: Array(bytes.prefix(size))[...], files: Array(files.prefix(count))))
    }
  }
}

/// An event on its way to a worker. The file and the writer's pidfd travel beside it.
struct EventRecord {
  /// What is known of the file.
  var status = clinux_status()
  var writer: Int32 = 0
  /// Which of the message's processes the writer is; -1 if it is gone.
  var process: Int32 = -1
  /// Whether the writer may end soon.
  var isNew = false
}

/// Written files of one user, as one message.
struct EventBatch {
  /// The last byte of such a message; that of another is `messageMark`.
  private static let mark = UInt8(ascii: "E")
  fileprivate static let messageMark = UInt8(ascii: "M")

  private(set) var records: [EventRecord] = []
  private(set) var files: [CInt] = []
  private(set) var processes: [CInt] = []

  init() {}

  /// Whether there is room for another event with its two descriptors.
  var hasRoom: Bool { files.count + processes.count + 2 <= Int(clinux_channel_files) }

  /// Adds an event, whose descriptors the queue keeps. Of successive events of one process only the
  /// first needs a descriptor of that.
  mutating func append(_ event: QueuedEvent) {
    var record = EventRecord(status: event.status, writer: event.writer, isNew: event.isNew)
    if let last = records.last, last.writer == event.writer, last.process >= 0 {
      record.process = last.process
    } else if event.process >= 0 {
      record.process = Int32(processes.count)
      processes.append(event.process)
    }
    records.append(record)
    files.append(event.file)
  }

  var bytes: [UInt8] {
    unsafe records.withUnsafeBytes { unsafe Array($0) } + [Self.mark]
  }

  /// Reads such a message.
  ///
  /// - Returns: `nil` if it is another. Events whose files did not come are left out.
  init?(_ packet: WatchChannel.Packet) {
    guard packet.bytes.last == Self.mark else { return nil }
    let size = MemoryLayout<EventRecord>.stride
    let count = min((packet.bytes.count - 1) / size, packet.files.count)
    records = unsafe packet.bytes.withUnsafeBytes { bytes in
      (0..<count).map {
        unsafe bytes.loadUnaligned(fromByteOffset: $0 * size, as: EventRecord.self)
      }
    }
    files = Array(packet.files.prefix(count))
    processes = Array(packet.files.dropFirst(count))
  }

  /// The events in the order in which they are to be handled: first those of writers that may end
  /// soon. The events of one file, or of one writer, keep their order.
  var order: [Int] {
    guard records.contains(where: \.isNew) else { return Array(records.indices) }
    var (first, rest): ([Int], [Int]) = ([], [])
    var files: Set<FileIdentity> = []
    var writers: Set<Int32> = []
    for (index, record) in records.enumerated() {
      let file = FileIdentity(record.status)
      if record.isNew, !files.contains(file), !writers.contains(record.writer) {
        first.append(index)
      } else {
        rest.append(index)
        files.insert(file)
        writers.insert(record.writer)
      }
    }
    return first + rest
  }

  /// The writers of the events. At those that may end soon and are not known a glance is taken.
  func writers(
    _ reader: ProcessReader, isKnown: (Writer) -> Bool = { _ in false }
  ) -> [Writer] {
    var writers: [Writer] = []
    for record in records {
      var writer = Writer(identifier: record.writer, process: process(of: record))
      if record.isNew, !isKnown(writer) {
        let before = writers.last.flatMap { $0.identifier == record.writer ? $0.glance : nil }
        writer.glance = before ?? reader.glance(at: writer)
      }
      writers.append(writer)
    }
    return writers
  }

  /// The process of a record; -1 if it is gone or did not come.
  func process(of record: EventRecord) -> CInt {
    processes.indices.contains(Int(record.process)) ? processes[Int(record.process)] : -1
  }
}

extension CompanionMessage {
  /// The message as a channel carries it.
  var packet: [UInt8] { bytes + [EventBatch.messageMark] }

  /// - Returns: `nil` for anything else.
  init?(_ packet: WatchChannel.Packet) {
    guard packet.bytes.last == EventBatch.messageMark,
      let all = try? CompanionMessage.all(in: Array(packet.bytes.dropLast())), all.count == 1,
      let message = all.first, !message.fields.isEmpty
    else { return nil }
    self = message
  }
}
