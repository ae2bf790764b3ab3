/// What the corpus says of its cases.
struct CorpusManifest: Decodable {
  let cases: [Case]

  struct Case: Decodable {
    let file: String
    let expected: String
    let agreement: String
  }
}
