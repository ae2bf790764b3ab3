import ForeignFormats
import FuzzInput

/// Reads an input as the table of a portal's documents: what is read is a path with who may use it.
@c(LLVMFuzzerTestOneInput)
public func fuzzPortalDocuments(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(PortalDocuments.Failure) {
    let table = try PortalDocuments(input)
    for (identifier, document) in table.documents {
      claim(document.path.first == UInt8(ascii: "/"), "a path is not absolute")
      claim(!document.path.contains(0), "a path has a NUL")
      let name = document.path.split(separator: UInt8(ascii: "/")).last
      claim(
        table.hostPath(of: identifier, name.map { [$0] } ?? []) == name.map { _ in document.path },
        "a document is not found by its own name")
      claim(
        document.writers.allSatisfy { document.permissions[$0]?.contains("write") == true },
        "who may not write is a writer")
    }
  } catch {
    claim(0...count ~= error.offset, "\(error) is outside")
  }
  return 0
}
