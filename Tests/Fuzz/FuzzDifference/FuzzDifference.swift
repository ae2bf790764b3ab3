import BinaryPropertyList
import Foundation
import FuzzInput

/// Gives what we read to Foundation, which must read the same.
///
/// Bytes that we refuse are kept away from it: some crash it.
@c(LLVMFuzzerTestOneInput)
public func fuzzDifference(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe UnsafeRawBufferPointer(start: start, count: count).bytes
  var options = DecodingOptions(chosenBy: input)
  options.toleratesTrailingNUL = false
  options.toleratesFlaws = false
  // Foundation makes a shared container anew at each of its places.
  options.expansionLimit = min(options.expansionLimit, 1_000)
  guard let table = try? ObjectTable(copying: input, options: options), table.isReadByFoundation,
    let value = try? table.propertyList(table.root, options: options)
  else { return 0 }
  let data = unsafe Data(UnsafeRawBufferPointer(start: start, count: count))
  do {
    let theirs = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    claim(value.isSame(asFoundations: theirs), "\(value) is to Foundation \(theirs)")
  } catch {
    fatalError("Foundation refuses \(value): \(error)")
  }
  return 0
}
