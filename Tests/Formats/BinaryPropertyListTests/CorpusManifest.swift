/// What the corpus says of its cases.
struct CorpusManifest: Decodable {
  let cases: [Case]

  struct Case: Decodable {
    let file: String
    let expected: String
    let agreement: String
    /// The file with the tree that CoreFoundation reads.
    let expectedJSON: String?

    enum CodingKeys: String, CodingKey {
      case file, expected, agreement
      case expectedJSON = "expected_json"
    }
  }
}
