import ActivationRule
import BinaryPropertyList
import FuzzInput
import UniformType

private let contents = [
  SharedContent([["public.png", "public.file-url"], ["public.url"]]),
  SharedContent([["public.plain-text"]]), SharedContent([]),
]

/// Reads an input as a binary property list that has a rule, declares types or is content, each of
/// which is used for all that is done with it.
@c(LLVMFuzzerTestOneInput)
public func fuzzActivationRule(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let list = try? PropertyList(binary: input) else { return 0 }
  let declarations = (try? TypeDeclaration.all(in: list)) ?? []
  let tree = TypeTree(adding: declarations)
  for declaration in declarations.prefix(100) {
    for ancestor in tree.ancestors(of: declaration.identifier) {
      claim(tree.conforms(declaration.identifier, to: ancestor), "an ancestor is none")
    }
  }
  var shared = contents
  if let content = try? SharedContent(list) { shared.append(content) }
  guard let found = FoundRule(in: list) else { return 0 }
  _ = found.findings(in: tree)
  guard let rule = try? ActivationRule(found.value) else { return 0 }
  let prepared = PreparedRule(rule, in: tree)
  for content in shared {
    guard let content = try? PreparedContent(content, in: tree) else { continue }
    let verdict = (try? prepared.matches(content)) ?? false
    claim(prepared.explain(content).isTrue == verdict, "the explanation has another verdict")
  }
  return 0
}
