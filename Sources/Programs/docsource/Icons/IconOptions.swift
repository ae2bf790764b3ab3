import AppIcon
import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats
import Xattr

/// The options given to `docsource icon`.
struct IconOptions {
  static let size = OptionDeclaration("size", value: "POINTS", help: "set the size (default: 64)")
  static let scale = OptionDeclaration(
    "scale", value: "N", help: "set the pixels per point (default: 1)")
  static let shape = OptionDeclaration(
    "shape", value: "SHAPE", choices: IconShape.allCases.map(\.rawValue), help: "outline"
  )
  static let noStroke = OptionDeclaration("no-stroke", help: "draw no hairline along the outline")
  static let output = OptionDeclaration(
    "output", short: "o", value: "FILE", help: "write the PNG to FILE, or - for standard output")
  static let inline = OptionDeclaration("inline", help: "show the icon in the terminal")
  static let install = OptionDeclaration(
    "install", help: "put the icon into your icon theme, for file managers")
  static let offline = OptionDeclaration("offline", help: "do not access the network")
  static let trusted = OptionDeclaration("trusted", help: "fetch from trusted hosts only")
  static let refresh = OptionDeclaration(
    "refresh", help: "ask the server even if the cache is fresh")
  static let explain = OptionDeclaration("explain", help: "explain the choice of the icon")
  static let json = ShowCommand.json
  static let null = OptionDeclaration(
    "null", short: "0", help: "end each line with NUL and escape nothing")

  static let all = [
    size, scale, shape, noStroke, output, inline, install, offline, trusted, refresh, explain, json,
    null,
  ]

  private static let defaultPoints = 64.0

  let iconSize: IconSize
  /// `nil` if the outline was left to us.
  let chosenShape: IconShape?
  let hasStroke: Bool
  /// The file that the PNG is written to; `nil` to print the icon's path instead.
  let target: [UInt8]?
  let isInline: Bool
  let isInstalling: Bool
  let isTrusted: Bool
  /// `offline`, `refresh` or `usual`.
  let mode: FetchMode
  let isExplaining: Bool
  let isJSON: Bool
  /// The byte that ends each record: a newline, or NUL with `-0`.
  let end: UInt8

  init(_ arguments: Arguments) throws(UsageError) {
    for option in [Self.json, Self.null, Self.explain] {
      try Self.exclude(arguments, [Self.output, Self.inline, Self.install, option])
    }
    try Self.exclude(arguments, [Self.install, Self.size])
    try Self.exclude(arguments, [Self.install, Self.scale])
    try Self.exclude(arguments, [Self.offline, Self.refresh])
    let points = try Self.number(arguments, Self.size) ?? Self.defaultPoints
    let scale = try Self.number(arguments, Self.scale) ?? 1
    guard let size = IconSize(points: points, scale: scale) else {
      throw UsageError("--size times --scale must be from 1 to \(IconSize.limit) pixels")
    }
    iconSize = size
    chosenShape = try arguments.choice(Self.shape).flatMap(IconShape.init)
    hasStroke = !arguments.has(Self.noStroke)
    target = arguments.bytes(Self.output)
    if target?.isEmpty == true { throw UsageError("--output: the file name is empty") }
    isInline = arguments.has(Self.inline)
    isInstalling = arguments.has(Self.install)
    isTrusted = arguments.has(Self.trusted)
    mode =
      arguments.has(Self.offline)
      ? .offline : arguments.has(Self.refresh) ? .refresh : .usual
    isExplaining = arguments.has(Self.explain)
    isJSON = arguments.has(Self.json)
    end = arguments.has(Self.null) ? 0 : UInt8(ascii: "\n")
  }

  /// The outline of the application's own icon.
  var outline: IconShape { chosenShape ?? .continuous }

  private static func number(
    _ arguments: Arguments, _ option: OptionDeclaration
  ) throws(UsageError) -> Double? {
    guard let text = try arguments.text(option) else { return nil }
    guard let number = Double(text) else {
      throw UsageError("--\(option.long): '\(EscapedText(text))' is not a number")
    }
    return number
  }

  private static func exclude(
    _ arguments: Arguments, _ options: [OptionDeclaration]
  ) throws(UsageError) {
    let given = options.filter(arguments.has)
    guard given.count > 1 else { return }
    let names = given.map { "--" + $0.long }.joined(separator: " and ")
    throw UsageError("\(names) cannot be combined")
  }
}

/// The options of `docsource icon` that concern the cache as a whole.
enum CacheUpkeep {
  static let statistics = OptionDeclaration(
    "cache-stats", help: "show cache statistics")
  static let prune = OptionDeclaration("cache-prune", help: "shrink the cache to its limits")
  static let clear = OptionDeclaration("cache-clear", help: "empty the cache")

  static let options = [statistics, prune, clear]

  /// Carries out the option that was given; `nil` if none was.
  static func run(
    _ arguments: Arguments, _ places: BaseDirectories, _ console: Console
  ) throws(UsageError) -> ExitStatus? {
    let given = options.filter(arguments.has)
    guard let option = given.first else { return nil }
    guard given.count == 1, arguments.operands.isEmpty else {
      throw UsageError("--\(option.long) cannot be combined with anything else")
    }
    do throws(IconCacheError) {
      let cache = try IconCache.open(in: places.cacheHome)
      switch option {
      case statistics:
        try tell(cache?.statistics() ?? CacheStatistics(), arguments, cache?.path, console)
      default:
        let removed =
          option == prune ? try cache?.prune(now: Int64(time(nil))) : try cache?.clear()
        console.output.writeLine("removed \(words(removed ?? CacheStatistics()))")
      }
      return .done
    } catch {
      if let path = error.path {
        console.fail(path.bytes, "cannot use the cache: \(error.reason)")
      } else {
        console.say("cannot locate the cache: \(error.reason)")
      }
      return .failed
    }
  }

  private static func tell(
    _ statistics: CacheStatistics, _ arguments: Arguments, _ path: FilePath?,
    _ console: Console
  ) {
    if arguments.has(IconOptions.json) {
      let fields: JSONFields = [
        "cache": .path(path?.bytes) ?? .null, "responses": .number(statistics.responses),
        "icons": .number(statistics.icons), "temporaryFiles": .number(statistics.temporaryFiles),
        "bytes": .number(Int(statistics.bytes)),
      ]
      console.output.writeLine(fields.text)
    } else if let path {
      console.output.writeLine("\(EscapedText(path.bytes)): \(words(statistics))")
    } else {
      console.output.writeLine("there is no cache yet")
    }
  }

  private static func words(_ statistics: CacheStatistics) -> String {
    count(statistics.responses, "response") + ", " + count(statistics.icons, "icon") + ", "
      + count(statistics.temporaryFiles, "temporary file") + ": "
      + count(Int(statistics.bytes), "byte")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
