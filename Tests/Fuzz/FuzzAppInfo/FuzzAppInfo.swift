import AppIcon
import FuzzInput

/// Reads an input as appInfo.json and ranks what it offers: nothing traps, and all bounds hold.
@c(LLVMFuzzerTestOneInput)
public func fuzzAppInfo(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(AppInfo.Failure) {
    check(try AppInfo(json: input))
  } catch {
    if case .syntax(_, _, _, let offset) = error {
      claim(0...count + 1 ~= offset, "\(error) at \(offset) is outside of \(count) bytes")
    }
    claim(!error.description.isEmpty, "a failure has no words")
  }
  return 0
}

private func check(_ info: AppInfo) {
  claim(info.icons.count <= AppInfo.countLimit, "too many icons")
  for icon in info.icons {
    claim(1...AppInfo.sideLimit ~= icon.width, "a width of \(icon.width)")
    claim(1...AppInfo.sideLimit ~= icon.height, "a height of \(icon.height)")
    claim(!icon.source.isEmpty, "an icon has no source")
    resolve(icon.source)
  }
  for pixels in [1, 58, 1024] {
    let choice = IconChoice(info.icons, pixels: pixels)
    claim(choice.ranked.count + choice.repeated.count == info.icons.count, "an icon is lost")
    claim(choice.candidates.count <= IconChoice.candidateLimit, "too many candidates")
    claim(Set(choice.ranked.map(\.source)).count == choice.ranked.count, "a file is there twice")
    let fits = choice.ranked.filter { $0.isSquare && $0.purpose == .any }.map { $0.side >= pixels }
    claim(fits == fits.sorted { $0 && !$1 }, "a smaller icon comes before a larger")
  }
}

/// What a source resolves to resolves to itself, and is within the bounds.
private func resolve(_ source: String) {
  do throws(ResolvedURL.Refusal) {
    let base = try ResolvedURL("https://example.com/a/b/appInfo.json?q")
    let url = try ResolvedURL(source, against: base)
    claim(url.text.utf8.count <= ResolvedURL.limit, "a URL is too long")
    claim(!url.text.utf8.contains(UInt8(ascii: "#")), "a fragment is left")
    claim(try ResolvedURL(url.text) == url, "\(url.text) is not itself")
    claim(url.text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a URL has other characters")
  } catch {
    claim(!error.reason.isEmpty, "a refusal has no words")
  }
}
