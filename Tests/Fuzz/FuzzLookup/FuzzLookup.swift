import BinaryPropertyList
import FuzzInput

/// Looks keys up in an input: where the whole of it can be read, both find the same.
@c(LLVMFuzzerTestOneInput)
public func fuzzLookup(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe UnsafeRawBufferPointer(start: start, count: count).bytes
  let options = DecodingOptions(chosenBy: input)
  let tree = Result { () throws(DecodingFailure) in
    try PropertyList(binary: input, options: options)
  }
  do throws(DecodingFailure) {
    let found = try lookup.find(in: input, options: options)
    for (position, key) in keys.enumerated() {
      let text = try text(of: found[position], in: input, options)
      guard case .success(let tree) = tree else { continue }
      guard case .dictionary(let dictionary) = tree else {
        claim(found[position] == .absent, "what is no dictionary has \(key)")
        continue
      }
      switch (found[position], dictionary[key]) {
      case (.absent, nil): break
      case (.string, .string(let read)?):
        claim(text?.utf8.elementsEqual(read.utf8) == true, "\(key) is another text")
      case (.other(let kind), let value?):
        claim(kind != .string, "\(key) is a string, but not found as one: \(value)")
      case (let found, let value): fatalError("\(key) is \(value ?? .null), not \(found)")
      }
    }
  } catch {
    error.claimInside(input)
    claim((try? tree.get()) == nil, "the lookup refuses what the reader takes: \(error)")
  }
  return 0
}

/// The text of a string that was found.
private func text(
  of value: LookupValue, in input: RawSpan, _ options: DecodingOptions
) throws(DecodingFailure) -> String? {
  guard case .string(let range) = value else { return nil }
  return try range.string(in: input, options: options)
}

// Those of the attribute, the shortest and the longest, and one that begins as another does.
private let keys = [
  "identifier", "name", "path", "appInfoURL", "", "abcdefghijklmn", "nam", "a\0",
]
private let lookup = Lookup(
  "identifier", "name", "path", "appInfoURL", "", "abcdefghijklmn", "nam", "a\0")
