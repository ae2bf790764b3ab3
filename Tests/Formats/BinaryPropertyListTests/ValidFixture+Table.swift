import BinaryPropertyList

extension ValidFixture {
  /// Every file below `Fixtures/PropertyLists/valid`.
  static let all: [ValidFixture] = simple + numbers + texts + shapes + widths

  private static let simple = [
    ValidFixture("null", .null),
    ValidFixture("false", .boolean(false)),
    ValidFixture("true", .boolean(true)),
    ValidFixture(
      "data", .array([.data([]), .data([1, 2, 3]), .data([UInt8](0..<15))])),
    ValidFixture(
      "uids",
      .array([.uid(0xff), .uid(0x100), .uid(0x10000), .uid(.max), .uid(5)]), isCanonical: false),
  ]

  private static let numbers = [
    ValidFixture(
      "integers",
      .array([
        .integer(0), .integer(0xff), .integer(0x100), .integer(0xffff), .integer(0x10000),
        .integer(0xffff_ffff), .integer(0x1_0000_0000), .integer(.max), .integer(-1),
        .integer(.min), .wideInteger(1 << 63), .wideInteger(.min),
      ])),
    ValidFixture(
      "integers-wider-than-needed",
      .array([.integer(1), .integer(1), .integer(1), .integer(1), .integer(-1)]),
      isCanonical: false),
    ValidFixture(
      "reals",
      .array([
        .float(1.5), .real(1.5), .real(Double(bitPattern: 0x7ff8_0000_0000_002a)), .real(-0.0),
        .float(Float(bitPattern: 0x7fc0_0007)),
      ])),
    ValidFixture(
      "dates",
      .array([
        .date(secondsSinceReferenceDate: 0.5),
        .date(secondsSinceReferenceDate: Double(bitPattern: 0x7ff8_0000_0000_0000)),
        .date(secondsSinceReferenceDate: -.infinity),
      ])),
  ]

  private static let texts = [
    ValidFixture(
      "strings",
      .array([
        .string(""), .string("fourteen chars"), .string("fifteen letters"), .string("é\0"),
        .string("😀𝄞"),
      ])),
    ValidFixture("string-latin1", .string("aéÿ"), isCanonical: false),
    ValidFixture("string-utf8", .string("aé€"), isCanonical: false),
    ValidFixture("string-utf16-of-ascii", .string("hi"), isCanonical: false),
    ValidFixture("string-nul", .string("a\0b")),
    ValidFixture("count-in-eight-bytes", .string("hi"), isCanonical: false),
    ValidFixture(
      "key-composed-and-decomposed",
      .dictionary(["\u{e9}": .boolean(true), "e\u{301}": .boolean(true)])),
  ]

  private static let shapes = [
    ValidFixture(
      "containers",
      .array([
        .array([]), .orderedSet([.null, .boolean(true)]), .set([.null]),
        .dictionary(["k": .array([])]),
      ]), isCanonical: false),
    ValidFixture(
      "keys-almost-wanted",
      .dictionary(["identifiers": .string("x"), "appInfoURLs": .string("x")])),
    ValidFixture("depth-512", (1..<512).reduce(.array([])) { inner, _ in .array([inner]) }),
    ValidFixture(
      "shared-leaves",
      .array([
        .string("a string that is shared"), .string("a string that is shared"),
        .data([UInt8](repeating: 0x78, count: 16)), .data([UInt8](repeating: 0x78, count: 16)),
      ])),
    ValidFixture("shared-empty-data", .array([.data([]), .data([])])),
    ValidFixture(
      "shared-containers",
      .array([
        .array([.boolean(true), .boolean(true)]), .array([.boolean(true), .boolean(true)]),
      ]), isCanonical: false),
    ValidFixture("root-not-first", .array([.boolean(true)]), isCanonical: false),
    ValidFixture("unused-object", .boolean(true), isCanonical: false),
    ValidFixture("gap-between-objects", .boolean(true), isCanonical: false),
    ValidFixture(
      "offset-twice", .array([.boolean(true), .boolean(true)]), isCanonical: false),
    ValidFixture(
      "references-256-objects-one-byte", .array((0..<255).map { .integer($0) }),
      isCanonical: false),
  ]

  private static let widths = (1...8).flatMap { width in
    [
      ValidFixture(
        "reference-size-\(width)", .dictionary(["k": .string("v")]), isCanonical: width == 1),
      ValidFixture("offset-size-\(width)", .array([.string("v")]), isCanonical: width == 1),
    ]
  }
}
