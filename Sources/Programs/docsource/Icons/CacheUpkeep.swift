import AppIcon
import Applications
import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats

/// What `docsource icon` does about the cache as a whole.
enum CacheUpkeep {
  static let statistics = OptionDeclaration("cache-stats", help: "say what the cache holds")
  static let prune = OptionDeclaration("cache-prune", help: "bring the cache below its limits")
  static let clear = OptionDeclaration("cache-clear", help: "empty the cache")

  static let options = [statistics, prune, clear]

  /// Does what one of the options asks for; `nil` where none was given.
  static func run(
    _ arguments: ParsedArguments, _ places: BaseDirectories, _ console: Console
  ) throws(UsageError) -> ExitStatus? {
    let given = options.filter(arguments.has)
    guard let option = given.first else { return nil }
    guard given.count == 1, arguments.operands.isEmpty else {
      throw UsageError("--\(option.long) stands alone")
    }
    do throws(IconCacheError) {
      let cache = try IconCache.open(in: places.cacheHome)
      switch option {
      case statistics:
        try tell(cache?.statistics() ?? CacheStatistics(), arguments, cache?.path, console)
      case prune:
        let removed = try cache?.prune(now: Int64(time(nil))) ?? CacheStatistics()
        console.output.writeLine("removed \(words(removed))")
      default:
        let removed = try cache?.clear() ?? CacheStatistics()
        console.output.writeLine("removed \(words(removed))")
      }
      return .done
    } catch {
      if error.path.bytes.isEmpty {
        console.say("there is no cache: \(error.reason)")
      } else {
        console.report(error.path.bytes, "the cache cannot be used: \(error.reason)")
      }
      return .failed
    }
  }

  private static func tell(
    _ statistics: CacheStatistics, _ arguments: ParsedArguments, _ path: FilePath?,
    _ console: Console
  ) {
    if arguments.has(IconOptions.json) {
      let place = path.map { JSONText.path($0.bytes, key: "path") } ?? [("path", "null")]
      console.output.writeLine(
        JSONText.object(
          place + [
            ("responses", "\(statistics.responses)"), ("icons", "\(statistics.icons)"),
            ("temporaryFiles", "\(statistics.temporaryFiles)"), ("bytes", "\(statistics.bytes)"),
          ]))
    } else if let path {
      console.output.writeLine("\(EscapedText(path.bytes)): \(words(statistics))")
    } else {
      console.output.writeLine("there is no cache yet")
    }
  }

  private static func words(_ statistics: CacheStatistics) -> String {
    let counts = [
      count(statistics.responses, "response"), count(statistics.icons, "icon"),
      count(statistics.temporaryFiles, "temporary file"),
    ]
    return counts.joined(separator: ", ") + ": " + count(Int(statistics.bytes), "byte")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
