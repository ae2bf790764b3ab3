import TestSupport
import Testing

/// `docsource plist show` of lists that are small and become large as text.
@Suite struct PlistLimitTests {
  /// 500 arrays one in another; in the innermost 900 references to one array of 1000 references to
  /// one value.
  private static let deep: [UInt8] = {
    let depth = 500
    let nested = (1...depth).map { SharedObjects.array([$0]) }
    return SharedObjects.list(
      nested + [
        SharedObjects.array(Array(repeating: depth + 1, count: 900)),
        SharedObjects.array(Array(repeating: depth + 2, count: 1000)), SharedObjects.yes,
      ])
  }()

  /// An array of three references to one string.
  private static let three = SharedObjects.list([
    SharedObjects.array([1, 1, 1]), SharedObjects.ascii("aaaa"),
  ])

  /// Arrays, each twice in the next, and at their end a text: for 30 arrays 2^30 of it.
  private static func doubled(_ count: Int) -> [UInt8] {
    SharedObjects.list(
      (1...count).map { SharedObjects.array([$0, $0]) } + [SharedObjects.ascii("a")])
  }

  private static func run(_ arguments: [String], _ input: [UInt8]) throws -> Execution {
    try Execution.run(
      ([Docsource.path, "plist", "show"] + arguments).map { Array($0.utf8) }, input: input)
  }

  private static func refusal(_ words: String) -> String {
    "docsource: standard input: cannot write the whole list: \(words)\n"
  }

  /// It would be 459 MB; counting ends at 256 MiB, and nothing is written before.
  @Test func smallListThatBecomesHalfAGigabyteOfXMLIsRefused() throws {
    #expect(Self.deep.count < 10_000)
    let shown = try Self.run(["--xml"], Self.deep)
    #expect(shown.output == [])
    #expect(
      shown.errors == Self.refusal("the output exceeds 256 MiB; use --limit=SIZE to allow more"))
    #expect(shown.status == 2)
  }

  @Test(arguments: [
    (["--json"], "[\"aaaa\",\"aaaa\",\n"), ([], "array (3)\n"), (["--xml"], ""),
  ])
  func listThatIsLongerThanTheLimitIsCutOff(_ options: [String], _ text: String) throws {
    let shown = try Self.run(options + ["--limit=20"], Self.three)
    #expect(shown.text == text)
    #expect(
      shown.errors == Self.refusal("the output exceeds 20 bytes; use --limit=SIZE to allow more"))
    #expect(shown.status == 2)
  }

  @Test(arguments: ["1K", "1M", "1G", "1T", "1000", "none"])
  func largerLimitAllowsTheList(_ limit: String) throws {
    let shown = try Self.run(["--limit", limit, "--json"], Self.three)
    #expect(shown.text == "[\"aaaa\",\"aaaa\",\"aaaa\"]\n")
    #expect(shown.errors == "")
    #expect(shown.status == 0)
  }

  /// By the trees' own limit such a list is refused before anything is written.
  @Test(arguments: [[], ["--limit=1T"]])
  func listThatDoublesItselfIsRefused(_ options: [String]) throws {
    let shown = try Self.run(options, Self.doubled(30))
    #expect(shown.output == [])
    // The second reference to that array is one too many, 2^20 values in all.
    #expect(
      shown.errors
        == "docsource: standard input: cannot read binary property list: shared objects expand to"
        + " too many values (at byte \(8 + 12 * 5)); use --limit=none to allow more\n")
    #expect(shown.status == 2)
  }

  @Test func withoutALimitListThatDoublesItselfIsShown() throws {
    let shown = try Self.run(["--json", "--limit=none"], Self.doubled(21))
    // 2^21 texts, a comma between each two, and a pair of brackets for each array.
    #expect(shown.output.count { $0 == UInt8(ascii: "a") } == 1 << 21)
    #expect(shown.output.count { $0 == UInt8(ascii: ",") } == 1 << 21 - 1)
    #expect(shown.output.count { $0 == UInt8(ascii: "]") } == 1 << 21 - 1)
    #expect(shown.errors == "")
    #expect(shown.status == 0)
  }

  /// 200,000 references to one text of 1 MB, of which each would be hashed anew.
  @Test func textThatStandsAtManyPlacesIsEncodedAtOnce() throws {
    let text = String(repeating: "a", count: 1 << 20)
    let list = SharedObjects.list([
      SharedObjects.array(Array(repeating: 1, count: 200_000)), SharedObjects.ascii(text),
    ])
    let encoded = try Self.within20Seconds(["encode"], list)
    #expect(encoded.errors == "")
    // References of one byte, of which there are 200,000, are half as long.
    #expect(encoded.output.count == list.count - 200_000)
    let checked = try Self.within20Seconds(["check", "--canonical"], encoded.output)
    #expect(checked.text == "standard input: well-formed, 1248636 bytes, 2 objects\n")
    #expect(checked.errors == "")
  }

  /// 100,000 references to one dictionary of two keys of 1 MB that differ at their ends.
  @Test func keysThatStandAtManyPlacesAreSortedAtOnce() throws {
    let key = String(repeating: "a", count: 1 << 20)
    let list = SharedObjects.list([
      SharedObjects.array(Array(repeating: 1, count: 100_000)), [0xd2, 0, 2, 0, 3, 0, 4, 0, 4],
      SharedObjects.ascii(key + "b"), SharedObjects.ascii(key + "a"), SharedObjects.yes,
    ])
    let encoded = try Self.within20Seconds(["encode", "--canonical"], list)
    #expect(encoded.errors == "")
    let checked = try Self.within20Seconds(["check", "--canonical"], encoded.output)
    #expect(checked.text == "standard input: well-formed, 4597229 bytes, 100004 objects\n")
    #expect(checked.errors == "")
  }

  /// 1,100 references to one dictionary of 500 keys that begin alike, each too short to be known by
  /// its place in memory.
  @Test func dictionaryThatStandsAtManyPlacesIsSortedOnce() throws {
    let prefix = String(repeating: "p", count: 250)
    let keys = (0..<500).map { SharedObjects.ascii("\(prefix)\(10_000 + ($0 * 7) % 500)") }
    var dictionary: [UInt8] = [0xdf, 0x11, 0x01, 0xf4]
    for key in 2..<502 { dictionary += [UInt8(key >> 8), UInt8(key & 0xff)] }
    for _ in keys { dictionary += [0x01, 0xf6] }
    var objects = [SharedObjects.array(Array(repeating: 1, count: 1100)), dictionary]
    objects += keys
    objects.append(SharedObjects.yes)
    let list = SharedObjects.list(objects)
    let encoded = try Self.within20Seconds(["encode", "--canonical"], list)
    #expect(encoded.errors == "")
    #expect(encoded.status == 0)
    #expect(encoded.output.count == 2_342_053)
  }

  /// Processor time, whatever else the machine does; SIGXCPU ends what takes longer.
  private static func within20Seconds(
    _ arguments: [String], _ input: [UInt8]
  ) throws -> Execution {
    try Execution.run(["prlimit", "--cpu=20", Docsource.path, "plist"] + arguments, input: input)
  }

  /// The limit is that of each list, and a list that is cut off does not spoil the next.
  @Test func nextListIsShownWhole() throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.three, to: "three")
    try directory.write(SharedObjects.list([SharedObjects.yes]), to: "yes")
    let shown = try Docsource.run(
      "plist", "show", "--limit=20", "--json", "yes", "three", "yes", in: directory.root)
    #expect(shown.text == "true\n[\"aaaa\",\"aaaa\",\ntrue\n")
    #expect(
      shown.errors
        == "docsource: three: cannot write the whole list: the output exceeds 20 bytes;"
        + " use --limit=SIZE to allow more\n")
    #expect(shown.status == 2)
  }

  @Test(arguments: [
    "", "0", "-1", "1.5G", "1GB", "G", "1g", "nothing", "9223372036854775808", "8388608T",
  ])
  func limitThatIsNoSizeIsReported(_ size: String) throws {
    let shown = try Self.run(["--limit=\(size)"], Self.three)
    #expect(shown.output == [])
    #expect(
      shown.errors
        == "docsource: plist show: --limit: '\(size)' is not a size such as 500K or 2G, or"
        + " none; see 'docsource help plist show'\n")
    #expect(shown.status == 64)
  }
}

/// Binary property lists made of objects that refer to each other by number, the first the root.
private enum SharedObjects {
  static let yes: [UInt8] = [0x09]

  /// - Parameter elements: the numbers of the objects in it.
  static func array(_ elements: [Int]) -> [UInt8] {
    head(0xa0, elements.count) + elements.flatMap { bytes(of: $0, 2) }
  }

  static func ascii(_ text: String) -> [UInt8] { head(0x50, text.utf8.count) + text.utf8 }

  static func list(_ objects: [[UInt8]]) -> [UInt8] {
    var list = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(list.count)
      list += object
    }
    let table = list.count
    list += offsets.flatMap { bytes(of: $0, 4) }
    // The trailer: the widths of offsets and references, how many objects, the root, the table.
    list += [0, 0, 0, 0, 0, 0, 4, 2]
    return list + bytes(of: objects.count, 8) + bytes(of: 0, 8) + bytes(of: table, 8)
  }

  private static func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
    if count < 15 { return [marker | UInt8(count)] }
    return count < 0x10000
      ? [marker | 15, 0x11] + bytes(of: count, 2) : [marker | 15, 0x12] + bytes(of: count, 4)
  }

  private static func bytes(of number: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - $0))) }
  }
}
