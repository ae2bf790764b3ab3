extension CorpusTests {
  /// Where the verdict on a case is not the corpus's, which is CoreFoundation's, and why.
  ///
  /// The reasons for refusing are policy: such keys and strings have no equal in a `String`.
  static let departures: [String: String] = {
    var table = [
      "cpython-invalid-invalid_UTF-16.bplist": "a string has a lone surrogate",
      // Ordered sets and UIDs of more than 32 bits are read, since they lose nothing.
      "cpython-token-b0.bplist": "accepted",
      "hqtsm-binary-edge-uid-over.bplist": "accepted",
      // Which of two values counts differs from reader to reader.
      "hqtsm-dict-repeat.bplist": "a dictionary key occurs twice",
    ]
    let nonStringKeys = [
      "go-invalid-Dictionary_non_string_key.bplist", "libplist-crash-39f13471.bplist",
      "swiftfnd-Test_82142612.bplist",
    ]
    let kinds = ["data", "date", "double", "false", "float", "int", "null", "true", "uid"]
    let edgeCases = ["", "reused-"].flatMap { prefix in
      kinds.map { "hqtsm-binary-edge-\(prefix)key-type-\($0).bplist" }
    }
    for name in nonStringKeys + edgeCases {
      table[name] = "a dictionary key is not a string"
    }
    return table
  }()

  /// Where the tree is not CoreFoundation's: of integers of 16 bytes it reads the low eight only, and
  /// UTF-8 where ASCII belongs as Latin-1.
  static let differentTrees: Set<String> = [
    "hqtsm-integer-big.bplist", "nodebplist-iTunes-small.bplist", "nodebplist-sample1.bplist",
  ]
}
