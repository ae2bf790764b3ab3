import ForeignFormats
import FuzzInput

/// Reads an input as an AppleDouble file, and as the head of a longer one: whatever is found lies
/// in it, and whatever is refused has its place. What is read is written and read again.
@c(LLVMFuzzerTestOneInput)
public func fuzzAppleDouble(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  for length in [count, count + 1 << 20] {
    do throws(MarkFailure) {
      check(try AppleDouble(head: input, length: length), length)
    } catch {
      claim(0...length ~= error.offset, "\(error) is outside")
      claim(length > count || error.reason != .headTooLong, "a whole file is cut off")
    }
  }
  checkWriting(input)
  return 0
}

/// What can be read whole is the same when it is written and read again.
private func checkWriting(_ input: [UInt8]) {
  guard var content = try? AppleDoubleContent(input), let written = try? content.encoded() else {
    return
  }
  claim(written.count <= 2 * input.count + 256, "\(input.count) bytes become \(written.count)")
  // Finder information is always written, and the resource fork after all else.
  content.finderInfo += [UInt8](repeating: 0, count: max(0, 32 - content.finderInfo.count))
  let isFork = { (part: AppleDoubleContent.Part) in part.type == AppleDouble.resourceForkType }
  content.parts = content.parts.filter { !isFork($0) } + content.parts.filter(isFork)
  do throws(MarkFailure) {
    claim(try AppleDoubleContent(written) == content, "\(content) reads as another")
  } catch {
    claim(false, "\(content) cannot be read again: \(error)")
  }
}

private func check(_ file: AppleDouble, _ length: Int) {
  for entry in file.entries where !entry.range.isEmpty {
    claim(entry.range.upperBound <= length, "entry \(entry) lies outside")
  }
  claim([0, 32].contains(file.finderInfo.count), "there are \(file.finderInfo.count) bytes")
  claim(Set(file.attributes.map(\.name)).count == file.attributes.count, "a name is there twice")
  for attribute in file.attributes {
    claim(1...AppleDouble.nameLimit ~= attribute.name.count, "a name is too long")
    claim(!attribute.name.contains(0), "a name has a NUL")
    claim(attribute.range.count <= AppleDouble.valueLimit, "a value is too long")
    claim(
      attribute.range.isEmpty || attribute.range.upperBound <= length,
      "value \(attribute) lies outside")
  }
}
