import BinaryPropertyList
import Foundation
import JSONPropertyList
import TestSupport
import Testing

@testable import Handoff

enum JSONList {
  static func read(_ json: String) throws -> PropertyList {
    try JSONPropertyListReader.read(Array(json.utf8))
  }
}

extension IntentCatalogue {
  static let iOS = (try? JSONList.read(BuiltInIntents.iOS)).map { IntentCatalogue($0, name: "") }
  static let linux = (try? JSONList.read(BuiltInIntents.linux)).map {
    IntentCatalogue($0, name: "")
  }
}

/// The vectors of `intentkit_vectors.json`, of which IntentKit's own specifications assert most.
@Suite struct IntentVectorTests {
  struct Vectors: Decodable {
    struct Vector: Decodable {
      struct Case: Decodable {
        let `in`: String
        let out: String?
      }

      struct Expectation: Decodable {
        let text: String?
        let command: String?
        let url: String?

        init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          text = try? container.decode(String.self)
          let fields = try? container.decode([String: String].self)
          (command, url) = (fields?["command"], fields?["url"])
        }
      }

      let app: String?
      let handler: String?
      let op: String?
      let command: String?
      let args: [String: String]?
      let input: String?
      let expect: Expectation?
      let cases: [Case]?
    }

    let vectors: [Vector]

    static let all: [Vector] = {
      guard let bytes = try? Fixture.bytes("Sharing/IntentKit/vectors.json"),
        let read = try? JSONDecoder().decode(Vectors.self, from: Data(bytes))
      else { return [] }
      return read.vectors
    }()
  }

  @Test func allVectorsHold() throws {
    let catalogue = try #require(IntentCatalogue.iOS)
    var count = 0
    for vector in Vectors.all {
      count += 1
      if let name = vector.app, let command = vector.command {
        let application = try #require(catalogue.application(named: name))
        guard case .url(let template)? = application.way(of: command) else {
          Issue.record("\(name) has no \(command)")
          continue
        }
        let url = try application.url(template, vector.args ?? [:])
        #expect(url == vector.expect?.text, "\(name) \(command)")
      } else if vector.op == "openURL:" {
        let input = try #require(vector.input)
        let request = try #require(try IntentRequest("openURL:", ["url": input]))
        #expect(request.command.name == vector.expect?.command)
        #expect(request.arguments["url"] == vector.expect?.url)
        #expect(request.intent.handler == vector.handler)
      } else if let handler = vector.handler, let command = vector.op?.split(separator: " ").last {
        let intent = try #require(IntentClass.named(handler))
        let fallback = try #require(catalogue.defaults(of: intent)?.fallback(String(command)))
        #expect(try fallback.filledForWeb(vector.args ?? [:]) == vector.expect?.text)
      } else {
        for one in try #require(vector.cases) {
          #expect(IntentTemplate(one.in).probe == one.out, "\(one.in)")
        }
      }
    }
    #expect(count == 26)
  }

  /// The language table of IntentKit's specifications.
  @Test func languageIsThePreferredOneThenEnglishThenTheFirst() throws {
    func name(_ names: String, _ languages: [String]) throws -> String? {
      let list = try JSONList.read(#"{"name":\#(names),"actions":{"call:":"tel:{{number}}"}}"#)
      return IntentCatalogue(list, name: "App").applications.first?.name(in: languages)
    }
    let all = #"{"en":"English","de":"Deutsch","fr":"Français"}"#
    #expect(try name(all, ["fr"]) == "Français")
    #expect(try name(all, ["ja", "de"]) == "Deutsch")
    #expect(try name(all, ["ja"]) == "English")
    #expect(try name(all, []) == "English")
    #expect(try name(#"{"fr":"Français","de":"Deutsch"}"#, ["ja"]) == "Deutsch")
    #expect(try name(#""Only""#, ["de"]) == "Only")
  }

  @Test func randomValuesAreRecoveredFromTheURL() throws {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &random)
    var state = seed
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    let alphabet = Array("ab-./?#&={}%+ \n\u{1}\"'é漢\u{1F600},~_:@[]\\")
    let template = IntentTemplate("https://host.example/a?q={{query}}&z={{other}}")
    for _ in 0..<10_000 {
      let value = String(
        (0..<Int(next(12))).map { _ in alphabet[Int(next(UInt64(alphabet.count)))] })
      let url = try template.url(["query": value, "other": "{{query}}"])
      let parsed = try #require(URLComponents(string: url), "seed \(seed): \(url)")
      #expect(parsed.scheme == "https" && parsed.host == "host.example", "seed \(seed)")
      #expect(parsed.queryItems?.map(\.name) == ["q", "z"], "seed \(seed)")
      #expect(parsed.queryItems?.map(\.value) == [value, "{{query}}"], "seed \(seed)")
    }
  }
}
