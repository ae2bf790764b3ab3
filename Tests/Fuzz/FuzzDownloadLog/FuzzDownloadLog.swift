import BrowserHistory
import DatabaseSnapshot
import ForeignFormats
import FuzzInput
import LinuxSystem

/// Reads an input as a log of downloads beside an empty `History`, as it is and with checksums that are
/// right, as a table, and as a block of a table whose first byte says how it is compressed.
@c(LLVMFuzzerTestOneInput)
public func fuzzDownloadLog(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let database = try? MemoryFile(),
    let version = DatabaseFiles.Version(of: database.descriptor)
  else { return 0 }
  func downloads(
    _ log: [UInt8], _ wanted: [DownloadedFile]? = nil, _ kind: DownloadLog.Kind = .log
  ) -> [DownloadRecord] {
    guard let file = try? MemoryFile(log) else { return [] }
    do throws(DatabaseFailure) {
      return try BrowserHistory.chromium.downloads(
        of: wanted,
        in: DatabaseFiles(writer: "", path: [1], database: database.descriptor, version),
        logs: [DownloadLog(path: [2], file: file.descriptor, kind: kind)],
        deadline: Clock.milliseconds + 10_000)
    } catch {
      claim(false, "\(error)")
    }
    return []
  }
  let sound = withChecksums(input)
  let all = downloads(sound)
  // With wrong checksums, which hide others, a download that was removed may count: it does no harm.
  _ = downloads(input)
  _ = downloads(input, nil, .table)
  let block = table(of: input)
  claim(downloads(block, nil, .table).count <= 1 << 20, "more downloads than bytes")
  for record in all {
    claim(record.database == [2], "a record of no log")
    claim(1...65_536 ~= record.path.count, "a path of a wrong length")
    claim((record.firstURL == nil) == (record.url == nil), "one address of two")
    claim(
      [record.firstURL, record.url, record.page].allSatisfy { $0?.isEmpty != true },
      "an empty address")
  }
  if let record = all.first, let size = record.size, let end = record.end {
    let wanted = DownloadedFile(path: record.path, size: size, modified: end)
    let found = downloads(sound, [wanted])
    claim(found.count <= 16, "more downloads than are read")
    claim(found.first?.path == record.path, "the download of the path is not the first")
    claim(found.allSatisfy { wanted.match($0) != nil }, "a download of another file")
  }
  return 0
}

/// Gives the records of a log the checksums that they ought to have.
private func withChecksums(_ log: [UInt8]) -> [UInt8] {
  var log = log
  for block in stride(from: 0, to: log.count, by: 32_768) {
    let end = min(block + 32_768, log.count)
    var start = block
    while end - start >= 7 {
      let next = start + 7 + (Int(log[start + 4]) | Int(log[start + 5]) << 8)
      guard next <= end else { break }
      let checksum = CRC32C.masked(of: log[start + 6..<next])
      for byte in 0..<4 { log[start + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte)) }
      start = next
    }
  }
  return log
}

/// A table with one block.
private func table(of block: [UInt8]) -> [UInt8] {
  guard let compression = block.first else { return [] }
  var table: [UInt8] = []
  func varint(_ number: Int) -> [UInt8] {
    number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
  }
  func append(_ content: some Sequence<UInt8>, _ compression: UInt8) -> [UInt8] {
    let start = table.count
    table += content
    let handle = varint(start) + varint(table.count - start)
    table.append(compression)
    let checksum = CRC32C.masked(of: table[start...])
    table += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
    return handle
  }
  let handle = append(block.dropFirst(), compression & 1)
  let index = append([0, 1, UInt8(handle.count), 0x7A] + handle + [0, 0, 0, 0], 0)
  return table + [0, 0] + index + [UInt8](repeating: 0, count: 38 - index.count)
    + [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB]
}
