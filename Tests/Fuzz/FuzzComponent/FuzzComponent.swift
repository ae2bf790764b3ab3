import ForeignFormats
import FuzzInput
import XMLFormats

/// Reads an input as AppStream's metainfo: what is read survives its way to the tool.
@c(LLVMFuzzerTestOneInput)
public func fuzzComponent(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  let arrivedInput = try? MetainfoFiles(binary: MetainfoFiles([input]).binary())
  claim(arrivedInput?.contents == [input], "the file is lost on the way")
  let description = ComponentFile.read(input)
  for text in [description?.identifier, description?.name, description?.icon] {
    guard let text else { continue }
    claim(!text.utf8.contains(0), "a text has a NUL")
    claim(text.first?.isWhitespace != true, "a text begins with white space")
    claim(text.last?.isWhitespace != true, "a text ends with white space")
  }
  claim(description?.name?.isEmpty != true, "a name is empty")
  let arrived = try? ApplicationDescription.list(
    binary: ApplicationDescription.binary([description]))
  claim(arrived == [description], "something is lost on the way")
  return 0
}
