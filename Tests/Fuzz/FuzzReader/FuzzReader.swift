import BinaryPropertyList
import FuzzInput

/// Reads an input as a tree and as a table: neither traps, and they agree.
@c(LLVMFuzzerTestOneInput)
public func fuzzReader(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  // The input itself, not a copy, so that a byte read after it is a finding of the sanitizer.
  let input = unsafe UnsafeRawBufferPointer(start: start, count: count).bytes
  let options = DecodingOptions(chosenBy: input)
  do throws(DecodingFailure) {
    let table = try ObjectTable(copying: input, options: options)
    walk(table, options)
    _ = try PropertyList(binary: input, options: options)
    try PropertyList.check(binary: input, options: options)
  } catch {
    error.claimInside(input)
    claim(
      (try? PropertyList.check(binary: input, options: options)) == nil,
      "the check passes what the table refuses: \(error)")
    do throws(DecodingFailure) {
      _ = try PropertyList(binary: input, options: options)
      fatalError("the tree was read, the table not: \(error)")
    } catch let again {
      claim(again == error, "the tree fails with \(again), the table with \(error)")
    }
  }
  return 0
}

/// Asks a table for all it knows of every object.
private func walk(_ table: ObjectTable, _ options: DecodingOptions) {
  claim(0..<table.count ~= table.root, "the root is no object")
  for object in 0..<table.count {
    let kind = table.kind(of: object)
    claim(table.bytes.indices ~= table.offset(of: object), "an object lies outside")
    let contents = table.contents(of: object)
    let keys = kind == .dictionary ? (0..<contents.count).map { table.key($0, of: contents) } : []
    let children = keys + (0..<contents.count).map { table.value($0, of: contents) }
    claim(kind.isContainer || children.isEmpty, "a scalar has children")
    claim(children.allSatisfy { 0..<table.count ~= $0 }, "a child is no object")
    let height = children.map { table.height(of: $0) + 1 }.max() ?? (kind.isContainer ? 1 : 0)
    // What the root does not reach may then contain itself.
    claim(
      options.toleratesFlaws || table.height(of: object) == height,
      "a height is not one above the children's")
    claim(
      (table.string(object) != nil) == (kind == .string)
        && (table.data(object) != nil) == (kind == .data)
        && (table.boolean(object) != nil) == (kind == .boolean)
        && (table.integer(object) != nil) == (kind == .integer)
        && (table.wideInteger(object) != nil) == (kind == .integer || kind == .wideInteger)
        && (table.float(object) != nil) == (kind == .float)
        && (table.real(object) != nil) == (kind == .real)
        && (table.date(object) != nil) == (kind == .date)
        && (table.uid(object) != nil) == (kind == .uid), "a \(kind) reads as another")
    claim(
      options.keepsFirstOfDuplicateKeys || options.toleratesFlaws || !contents.hasDuplicateKeys,
      "a key is repeated")
    claim(
      keys.allSatisfy { key in
        table.kind(of: key) == .string
          || options.toleratesFlaws && table.kind(of: key) == .integer
      }, "a key is no string")
  }
}
