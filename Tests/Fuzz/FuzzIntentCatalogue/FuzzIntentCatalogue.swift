import BinaryPropertyList
import FuzzInput
import Handoff
import JSONPropertyList
import PropertyListText

/// Reads an input as a catalogue of intents, in the form that it begins like: it is the same in the
/// other forms, and a value that is put into a template changes nothing but its place.
@c(LLVMFuzzerTestOneInput)
public func fuzzIntentCatalogue(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  let value: PropertyList? =
    switch input.first {
    case UInt8(ascii: "b"): try? PropertyList(binary: input)
    case UInt8(ascii: "<"): try? XMLPropertyListReader.read(input)
    default: try? JSONPropertyListReader.read(input)
    }
  guard let value else { return 0 }
  var json: [UInt8] = []
  try? JSONPropertyListWriter.write(value) { json += $0 }
  let ofJSON = try? JSONPropertyListReader.read(json)
  for name in ["App", "INKMailHandler"] {
    let catalogue = IntentCatalogue(value, name: name)
    check(catalogue)
    guard let ofJSON else { continue }
    claim(
      account(IntentCatalogue(ofJSON, name: name)) == account(catalogue), "JSON has another one")
  }
  return 0
}

private func account(_ catalogue: IntentCatalogue) -> [String] {
  let applications = catalogue.applications.map { one in
    "\(one.identity)\0\(one.name(in: ["de"]))\0\(one.className ?? "-")"
      + "\0\(one.desktopIdentifier ?? "-")\0\(one.actions.map { "\($0.command) \($0.way)" })"
  }
  let defaults = catalogue.defaults.map { one in
    "\(one.handler)\0\(one.application ?? "-")\0\(one.firstParty ?? "-")"
      + "\0\(one.fallbacks.map { "\($0.command) \($0.url.text)" })"
  }
  return applications + defaults + catalogue.lint().map { "\($0)" }
}

private func check(_ catalogue: IntentCatalogue) {
  for application in catalogue.applications {
    claim(!application.identity.isEmpty, "an application has no identity")
    claim(!application.name(in: []).isEmpty, "an application has no name")
    claim(!application.actions.isEmpty, "an application does nothing")
    for (command, way) in application.actions {
      claim(application.way(of: command) != nil, "\(command) is lost")
      switch way {
      case .url(let template):
        check(template)
        checkURL(template, application)
      case .program(let words):
        claim(words.first?.keys == [], "a value can become the program")
        words.forEach(check)
      case .text: break
      }
    }
  }
  for defaults in catalogue.defaults { defaults.fallbacks.map(\.url).forEach(check) }
  var whole = IntentCatalogue()
  whole.add(catalogue)
  let identities = whole.applications.map(\.identity)
  claim(Set(identities).count == identities.count, "two applications have one identity")
  whole.add(catalogue)
  claim(whole.applications.map(\.identity) == identities, "an application is added twice")
}

/// Values are put in once, and nothing else changes: seen by the lengths of what comes out.
private func check(_ template: IntentTemplate) {
  func length(_ value: String) -> Int? {
    let values = Dictionary(template.keys.map { ($0, value) }) { first, _ in first }
    // A lead that cannot be an option, as values may be.
    let words = [IntentTemplate("-"), template]
    return (try? IntentApplication.words(words, values))?.last?.utf8.count
  }
  let keys = template.keys
  guard let none = length(""), let letter = length("a"), let percent = length("%"),
    let at = length("@")
  else { return }
  claim(letter - none == keys.count, "a value is not in its place")
  // An encoded percent sign has three bytes.
  let encoded = (percent - none - keys.count) / 2
  claim((0...keys.count).contains(encoded), "\(encoded) of \(keys.count) values are encoded")
  // An @ stays in the places for addresses, whose braces have one as well.
  let addresses = encoded - (at - none - keys.count) / 2
  claim((0...encoded).contains(addresses), "\(addresses) of \(encoded) values are addresses")
  let names = keys.reduce(0) { $0 + $1.utf8.count }
  claim(
    none == template.text.utf8.count - names - 4 * encoded - addresses
      - 6 * (keys.count - encoded),
    "a place is left")
  let braces = length("{{{\(keys.first ?? "a")}}}")
  claim(
    braces == none + encoded * (18 + (keys.first?.utf8.count ?? 0))
      + (keys.count - encoded) * (6 + (keys.first?.utf8.count ?? 0)), "a value is a template")
}

/// A value cannot give the URL another scheme, and one with a space never stands in it as it is.
private func checkURL(_ template: IntentTemplate, _ application: IntentApplication) {
  let value = "javascript:x /?#&\n\"{{b}}"
  let keys = template.keys + ["subject", "messageBody", "zoom", "center", "body"]
  let values = Dictionary(keys.map { ($0, value) }) { first, _ in first }
  guard let url = try? application.url(template, values) else { return }
  claim(template.scheme.map { url.hasPrefix($0 + ":") } ?? false, "the URL has another scheme")
  let bytes = Array(url.utf8)
  let isThere = bytes.indices.contains { bytes[$0...].starts(with: value.utf8) }
  claim(!isThere, "a value stands in the URL as it is")
}
