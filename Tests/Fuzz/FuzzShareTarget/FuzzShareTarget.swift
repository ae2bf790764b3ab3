import Applications
import FuzzInput
import Handoff
import LinuxSystem
import ShareItem

/// Reads an input as the description of a share target: what is read has a program, and options that
/// can be given.
@c(LLVMFuzzerTestOneInput)
public func fuzzShareTarget(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  for text in [input, Array("[Share Target]\nExec=a\n".utf8) + input] {
    guard
      let target = try? ShareTarget(
        text, identifier: "fuzz", path: FilePath("/targets/fuzz.target"), locale: ["de"])
    else { continue }
    claim(target.command.first?.isEmpty == false, "a target has no program")
    claim(target.validation?.isEmpty != true, "a check has no program")
    let given = target.options.map { ($0.name, $0.values.first?.word ?? "value") }
    claim(
      (try? target.arguments(given))?.count == target.options.count, "an option is not taken")
    _ = target.accepts([.text("a"), .url("a:b")]) { $0 == $1 }
  }
  return 0
}
