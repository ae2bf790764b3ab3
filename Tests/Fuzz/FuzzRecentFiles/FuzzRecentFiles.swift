import ForeignFormats
import FuzzInput
import LinuxSystem
import XMLFormats

/// Reads an input as recently-used.xbel: what is read survives its way to the tool.
@c(LLVMFuzzerTestOneInput)
public func fuzzRecentFiles(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(MarkFailure) {
    let files = try BookmarkList.read(input)
    for file in files.files {
      claim(file.path.bytes.first == UInt8(ascii: "/"), "a path is not absolute")
      claim(!file.bytes.isEmpty, "a bookmark has no text")
      claim(file.uses.isEmpty == (file.lastUse == nil), "there is no last use")
      claim(files[file.path] != nil, "a file is not found")
    }
    let arrived = try? RecentFiles(binary: files.binary())
    claim(arrived?.files == files.files, "something is lost on the way")
  } catch {
    claim(0...count ~= error.offset, "\(error) is outside")
  }
  return 0
}
