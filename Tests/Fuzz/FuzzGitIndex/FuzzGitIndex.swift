import FuzzInput
import GitIndex

/// Takes an input for a path, a NUL and an index, in which the path is looked for.
@c(LLVMFuzzerTestOneInput)
public func fuzzGitIndex(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  let path = Array(input.prefix { $0 != 0 })
  let index = Array(input.dropFirst(path.count + 1))
  func find(_ paths: [[UInt8]], _ index: [UInt8]) -> [GitIndex.Match]? {
    do throws(GitIndexFailure) {
      return try GitIndex.find(paths, in: index.span)
    } catch {
      claim(0...index.count ~= error.offset, "a failure is elsewhere")
      return nil
    }
  }
  guard let matches = find([path, []], index) else { return 0 }
  let match = matches[0]
  claim(match.entries.map(\.stage) == Set(match.entries.map(\.stage)).sorted(), "stages descend")
  claim(match.entries.allSatisfy { $0.object.count == 20 }, "the name of an object is cut")
  claim(match.entries.allSatisfy { 0...3 ~= $0.stage }, "there is no such stage")
  claim(matches[1].entries.isEmpty, "the work tree is a file")
  claim(
    matches[1].hasEntriesBelow || match.entries.isEmpty && !match.hasEntriesBelow,
    "there is a path in an empty work tree")
  claim(find([path], index) == [match], "one path has another answer")
  claim(find([path], Array(index.dropLast())) == nil, "an index that is cut is read")
  return 0
}
