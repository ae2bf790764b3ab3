internal import CLinux
internal import CompanionProtocol
internal import FileTree
internal import LinuxSystem

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

  /// Adds an event, whose descriptors the queue keeps. Of the events of one process only the first needs a
  /// descriptor of that, since a number is not given again while a batch is gathered; of those of
  /// processes that may end soon, and were there for a moment only, the first of successive ones.
  mutating func append(_ event: QueuedEvent) {
    var record = EventRecord(status: event.status, writer: event.writer, isNew: event.isNew)
    let same = event.isNew ? records.last : records.last { $0.writer == event.writer }
    if let same, same.writer == event.writer, same.process >= 0 {
      record.process = same.process
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
  init?(_ packet: FileChannel.Packet) {
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
  init?(_ packet: FileChannel.Packet) {
    guard packet.bytes.last == EventBatch.messageMark,
      let all = try? CompanionMessage.all(in: Array(packet.bytes.dropLast())), all.count == 1,
      let message = all.first, !message.fields.isEmpty
    else { return nil }
    self = message
  }
}
