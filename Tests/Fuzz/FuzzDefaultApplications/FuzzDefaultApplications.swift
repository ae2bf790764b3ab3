import Applications
import FuzzInput

private let key = "x-scheme-handler/mailto"

/// Reads an input as a list of default applications, and sets and removes one: what is set is read,
/// doing it again changes nothing, and all other lines stay as they are.
@c(LLVMFuzzerTestOneInput)
public func fuzzDefaultApplications(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  // The name of the application is untrusted, too.
  let first = String(decoding: input.prefix { $0 != 0x0a }, as: UTF8.self)
  for application in ["a.desktop", first]
  where !application.isEmpty && !application.utf8.contains(0) {
    let set = DefaultApplications.edited(input, key, application)
    claim(
      DefaultApplications.application(for: key, in: set) == application, "another one is read")
    claim(DefaultApplications.edited(set, key, application) == set, "setting it again changes it")
    claimKept(input, in: set, passingOver: ["Default Applications", "Removed Associations"])
    let removed = DefaultApplications.edited(set, key, nil)
    claim(DefaultApplications.application(for: key, in: removed) == nil, "it is still there")
    claim(DefaultApplications.edited(removed, key, nil) == removed, "removing it again changes it")
    claimKept(set, in: removed, passingOver: ["Default Applications"])
  }
  let removed = DefaultApplications.edited(input, key, nil)
  claimKept(input, in: removed, passingOver: ["Default Applications"])
  return 0
}

/// Claims that lines are the same but for those of the key in these groups, and that nothing is added
/// but the head of a group.
private func claimKept(_ old: [UInt8], in new: [UInt8], passingOver groups: [String]) {
  let before = others(old, groups)
  let after = others(new, groups)
  claim(after.starts(with: before), "a line has changed")
  let added = after.dropFirst(before.count).map { trimmed($0) }
  claim(added.count <= 2, "\(added.count) lines are added")
  let head = Array("[Default Applications]".utf8)
  claim(
    added.isEmpty || added.last == head && added.dropLast().allSatisfy(\.isEmpty),
    "another line is added")
}

private func others(_ content: [UInt8], _ groups: [String]) -> [[UInt8]] {
  var lines = content.split(separator: 0x0a, omittingEmptySubsequences: false).map { Array($0) }
  if lines.last == [] { lines.removeLast() }
  var group: String?
  return lines.filter { line in
    let text = trimmed(line)
    if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
      group = String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
      return true
    }
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")), let group else { return true }
    return !groups.contains(group) || trimmed(Array(text[..<equals])) != Array(key.utf8)
  }
}

private func trimmed(_ line: [UInt8]) -> [UInt8] {
  let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0d].contains($0) }
  return Array(Array(line.drop(while: isSpace).reversed()).drop(while: isSpace).reversed())
}
