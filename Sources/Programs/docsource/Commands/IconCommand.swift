import AppIcon
import Applications
import CommandLineInterface
import LinuxSystem
import TextFormats

/// `docsource icon`: finds, fetches and installs applications' icons.
enum IconCommand: Command {
  static let verb = "icon"
  static let answerOfFailure: JSONFields? = [:]
  static var members: [any Command.Type] { [IconTrustCommand.self] }

  static let declaration = CommandDeclaration(
    name: verb, summary: "find or fetch the icon of the application a file came from",
    operands: "FILE|ID|URL...",
    options: IconOptions.all + [FileList.option] + CacheUpkeep.options,
    members: members.map { $0.declaration },
    examples: [
      "docsource icon --size 48 --scale 2 -o icon.png notes.txt",
      "docsource icon --offline --explain org.example.editor",
    ],
    manual: ManualText(Manual.icon))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let places = BaseDirectories.current()
    if let status = try CacheUpkeep.run(arguments, places, console) { return status }
    let options = try IconOptions(arguments)
    let words = arguments.operands
    guard !words.isEmpty else { throw UsageError("no file, identifier or URL given") }
    if options.target != nil && words.count > 1 { throw UsageError("--output takes one icon") }
    if options.isInline && !console.output.isTerminal {
      throw UsageError("--inline needs a terminal; use -o FILE to write the icon")
    }
    if options.target == [UInt8(ascii: "-")] && console.output.isTerminal {
      throw UsageError("cannot write a PNG to a terminal; use -o FILE or --inline")
    }

    let format = IconFormat(options: options, areSeveral: words.count > 1, console: console)
    var operands: [IconOperand] = []
    var failures: [Int: IconOperand.Failure] = [:]
    for (position, word) in words.enumerated() {
      do throws(IconOperand.Failure) {
        operands.append(try IconOperand(word, console))
      } catch {
        failures[position] = error
      }
    }
    let search = IconSearch(options: options, places: places, console: console)
    let installation = IconInstallation(search: search, options: options, console: console)
    let results =
      options.isInstalling
      ? [] : search.find(operands, size: options.iconSize, mode: options.mode)

    // In the order of the command line, whatever took long.
    var status = ExitStatus.done
    var next = 0
    for (position, word) in words.enumerated() {
      let one: ExitStatus
      if let failure = failures[position] {
        one = format.write(failure, of: word)
      } else {
        one =
          options.isInstalling
          ? installation.install(operands[next]) : give(results[next], format, options, console)
        next += 1
      }
      status = status.combined(with: one)
    }
    return status
  }

  private static func give(
    _ result: IconSearch.Result, _ format: IconFormat, _ options: IconOptions, _ console: Console
  ) -> ExitStatus {
    guard options.target != nil || options.isInline else { return tell(result, format, console) }
    let status = format.status(of: result)
    guard status == .done else { return status }
    let picture = IconPicture(size: options.iconSize, options: options, console: console)
    guard let png = picture.png(of: result) else { return .failed }
    if options.isInline {
      if format.areSeveral {
        console.output.writeLine("\(EscapedText(result.operand.bytes)):")
      }
      let pixels = options.iconSize.pixels
      return InlinePicture.show(png, pixels: pixels, console) ? .done : .failed
    }
    return OutputFile.write(png, to: options.target, console)
  }

  /// Tells where the icon is. One that must not be kept is nowhere, so another has to do.
  private static func tell(
    _ result: IconSearch.Result, _ format: IconFormat, _ console: Console
  ) -> ExitStatus {
    guard result.picture != nil else { return format.write(result) }
    let error = "the server forbids caching the icon; use -o FILE or --inline"
    console.report(result.operand.bytes[...], error)
    var kept = result
    kept.error = error
    kept.picture = nil
    kept.hasFailed = true
    return format.write(kept)
  }
}
