import BinaryPropertyList

/// Prints property lists and what we read them as, a list a line.
///
/// A line has, with tabs between: the bytes as hexadecimal digits; the reasons for which the strict
/// options would refuse what is tolerated, with semicolons between; and either the value as JSON or
/// offset and reason for which the bytes are refused.
@main
struct PropertyListGenerator {
  private var random: SplitMix
  private var maker: RandomAssembly

  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard arguments.count == 2 else { fatalError("usage: PropertyListGenerator SEED COUNT") }
    var generator = Self(seed: arguments[0])
    for _ in 0..<arguments[1] { print(generator.line()) }
  }

  private init(seed: UInt64) {
    random = SplitMix(state: seed)
    maker = RandomAssembly(seed: seed &+ 1)
  }

  private mutating func line() -> String {
    var options = DecodingOptions()
    // What is shared is printed at each of its places.
    options.expansionLimit = 10_000
    let bytes = bytes(options)
    var tolerant = options
    tolerant.replacesLoneSurrogates = true
    tolerant.keepsFirstOfDuplicateKeys = true
    var reading = Self.read(bytes, tolerant)
    var tolerated: [String] = []
    for flaw in [\DecodingOptions.replacesLoneSurrogates, \.keepsFirstOfDuplicateKeys] {
      var strict = tolerant
      strict[keyPath: flaw] = false
      if case (.success, .failure(let failure)) = (reading, Self.read(bytes, strict)) {
        tolerated.append(failure.reason.description)
      }
    }
    // Half of the time the tolerance is not asked for.
    if Bool.random(using: &random), !tolerated.isEmpty {
      reading = Self.read(bytes, options)
      tolerated = []
    }
    let text =
      switch reading {
      case .success(let value): value.json
      case .failure(let failure): "\(failure.offset) \(failure.reason)"
      }
    return "\(HexadecimalText.of(bytes))\t\(tolerated.joined(separator: ";"))\t\(text)"
  }

  private static func read(
    _ bytes: [UInt8], _ options: DecodingOptions
  ) -> Result<PropertyList, DecodingFailure> {
    Result { () throws(DecodingFailure) in try PropertyList(binary: bytes, options: options) }
  }

  /// A list put together by hand, or written by us, and often damaged.
  private mutating func bytes(_ options: DecodingOptions) -> [UInt8] {
    var bytes = maker.bytes()
    if Bool.random(using: &random),
      let value = try? PropertyList(binary: bytes, options: options),
      let written = try? value.binary(
        options: EncodingOptions(keyOrder: Bool.random(using: &random) ? .sorted : .insertion))
    {
      bytes = written
    }
    if Int.random(in: 0..<3, using: &random) == 0 { Mutation.apply(to: &bytes, using: &random) }
    return bytes
  }
}
