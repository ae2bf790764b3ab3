import FuzzInput
import ShareItem

/// Reads an input as a link, strictly and as the original does: findings stand inside the link, and
/// what is read is written so that it is read again.
@c(LLVMFuzzerTestOneInput)
public func fuzzAttributedLink(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  for rule in [LinkCheck.URLRule.web, .anyScheme, .anyText] {
    let check = LinkCheck(input, urls: rule)
    for finding in check.findings {
      claim(0...count ~= finding.offset, "\(finding) is outside")
    }
    guard let link = check.link else {
      claim(check.findings.contains { $0.severity == .error }, "a link is refused without a reason")
      continue
    }
    let again = LinkCheck(link.text, urls: rule)
    claim(again.link == link, "a link is not read as it was written")
    claim(again.link?.text == link.text, "the canonical form changes")
    claim(AttributedLink(lenient: link.text) == link || rule == .anyText, "the readers differ")
  }
  guard let text = String(validating: input, as: UTF8.self) else { return 0 }
  if let link = AttributedLink(lenient: text), link.url != nil {
    claim(AttributedLink(lenient: link.text) == link, "a loose link changes when it is written")
  }
  if let decoded = LinkForm.decoded(text) {
    claim(
      LinkForm.decoded(LinkForm.encoded(decoded)).map { Array($0.utf8) } == Array(decoded.utf8),
      "escaping loses something")
  }
  return 0
}
