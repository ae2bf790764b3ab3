import BrowserHistory
import DatabaseSnapshot
import ForeignFormats
import FuzzInput
import LinuxSystem

/// Takes an input for the files of a browser's database: a byte with the kind of browser, two with the
/// size of the database in 512 bytes, the database, and the write-ahead log.
@c(LLVMFuzzerTestOneInput)
public func fuzzBrowserHistory(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard input.count > 3 else { return 0 }
  let kind: BrowserHistory = input[0] & 1 == 0 ? .chromium : .firefox
  let size = (Int(input[1]) << 8 | Int(input[2])) * 512
  guard let database = try? MemoryFile(Array(input[3...].prefix(size))),
    let log = try? MemoryFile(Array(input[3...].dropFirst(size))),
    let version = DatabaseFiles.Version(of: database.descriptor)
  else { return 0 }
  let wanted = DownloadedFile(path: Array("/home/anna/a b".utf8), size: 4, modified: 1000)
  do throws(DatabaseFailure) {
    let found = try kind.downloads(
      of: input[0] & 2 == 0 ? [wanted] : nil,
      in: DatabaseFiles(
        writer: "", path: [], database: database.descriptor, version, log: log.descriptor),
      deadline: Clock.milliseconds + 1000)
    if input[0] & 2 == 0 {
      claim(found.count <= 32, "more downloads than are read")
      claim(found.allSatisfy { wanted.match($0) != nil }, "a download of another file")
    }
    if let (record, match) = DownloadRecords(found).record(of: wanted) {
      claim(match == .content || record.path == wanted.path, "a download of another file")
      claim(
        record.size ?? (match == .content ? nil : wanted.size) == wanted.size,
        "a download of another size")
    }
  } catch {
    claim(!error.description.isEmpty, "no reason")
    claim(!error.isMomentary, "nobody writes")
  }
  return 0
}
