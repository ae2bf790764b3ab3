import ActivationRule
import BinaryPropertyList
import FuzzInput

private let contents = [
  SharedContent([["public.png", "public.file-url"], ["public.url"]]), SharedContent([]),
  SharedContent(items: []),
].compactMap { try? PreparedContent($0) }

/// Reads an input as a predicate: what is read is the same when it was printed and read again, and is
/// evaluated, explained and checked.
@c(LLVMFuzzerTestOneInput)
public func fuzzPredicate(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let text = String(validating: input, as: UTF8.self),
    let predicate = try? RulePredicate(text)
  else { return 0 }
  for printed in [predicate.description, predicate.formatted(width: 30)] {
    // What is escaped takes more room.
    guard printed.utf8.count <= RulePredicate.textLimit else { continue }
    claim((try? RulePredicate(printed)) == predicate, "the printed predicate is another one")
  }
  let rule = PreparedRule(.predicate(predicate))
  for content in contents {
    let verdict = (try? rule.matches(content)) ?? false
    claim(rule.explain(content).isTrue == verdict, "the explanation has another verdict")
  }
  _ = FoundRule(in: .string(text))?.findings()
  return 0
}
