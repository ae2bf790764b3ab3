import DatabaseSnapshot
import DesktopHistory
import ForeignFormats
import FuzzInput
import LinuxSystem

/// Takes an input for the database of KDE's activities, and for each of those of desktop search.
@c(LLVMFuzzerTestOneInput)
public func fuzzDesktopHistory(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let database = try? MemoryFile(input),
    let version = DatabaseFiles.Version(of: database.descriptor)
  else { return 0 }
  let files = DatabaseFiles(writer: "", path: [], database: database.descriptor, version)
  let file = DownloadedFile(path: Array("/home/mia/a b".utf8), size: 4, modified: 1000)
  for wanted in [nil, [file]] {
    let deadline = Clock.milliseconds + 1000
    check(wanted) { () throws(DatabaseFailure) in
      try ActivityDatabase.uses(of: wanted, in: files, deadline: deadline)
    }
    check(wanted) { () throws(DatabaseFailure) in
      try SearchIndex.contents(
        of: wanted, addresses: files, graphs: [files], deadline: deadline)
    }
  }
  return 0
}

private func check(
  _ wanted: [DownloadedFile]?, _ read: () throws(DatabaseFailure) -> [DesktopRecord]
) {
  do throws(DatabaseFailure) {
    for record in try read() {
      claim(record.path.first == UInt8(ascii: "/"), "a path that is not absolute")
      claim(wanted?.contains { $0.path == record.path } ?? true, "a record of another file")
    }
  } catch {
    claim(!error.description.isEmpty, "no reason")
    claim(!error.isMomentary, "nobody writes")
  }
}
