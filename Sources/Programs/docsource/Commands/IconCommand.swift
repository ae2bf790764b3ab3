import AppIcon
import Applications
import CommandLineInterface
import LinuxSystem

/// `docsource icon`: finds, fetches and installs applications' icons.
enum IconCommand: Command {
  static let verb = "icon"
  static var members: [any Command.Type] { [IconTrustCommand.self] }

  static let declaration = CommandDeclaration(
    name: verb, summary: "find or fetch the icon of the application a file came from",
    operands: "FILE|ID|URL...", details: [],
    options: IconOptions.all + CacheUpkeep.options, members: members.map { $0.declaration },
    examples: [
      "docsource icon --size 48 --scale 2 -o icon.png notes.txt",
      "docsource icon --offline --explain org.example.editor",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let places = BaseDirectories.current()
    if let status = try CacheUpkeep.run(arguments, places, console) { return status }
    let options = try IconOptions(arguments)
    let words = arguments.operands
    guard !words.isEmpty else { throw UsageError("no file, identifier or URL given") }
    if options.target != nil && words.count > 1 { throw UsageError("--output takes one icon") }
    if options.isInline && !console.output.isTerminal {
      throw UsageError("--inline needs a terminal; -o FILE writes the icon")
    }
    if options.target == [UInt8(ascii: "-")] && console.output.isTerminal {
      throw UsageError("a PNG on a terminal is of no use; give -o FILE, or --inline")
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
    let finder = IconFinder(options: options, places: places, console: console)
    let installation = IconInstallation(finder: finder, options: options, console: console)
    let findings =
      options.isInstalling
      ? [] : finder.find(operands, size: options.iconSize, asking: options.eagerness)

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
          ? installation.install(operands[next]) : give(findings[next], format, options, console)
        next += 1
      }
      status = status.combined(with: one)
    }
    return status
  }

  private static func give(
    _ finding: IconFinding, _ format: IconFormat, _ options: IconOptions, _ console: Console
  ) -> ExitStatus {
    guard options.target != nil || options.isInline else { return tell(finding, format, console) }
    let status = format.status(of: finding)
    guard status == .done else { return status }
    let picture = IconPicture(size: options.iconSize, options: options, console: console)
    guard let png = picture.png(of: finding) else { return .failed }
    if options.isInline {
      if format.areSeveral {
        console.output.writeLine("\(EscapedText(finding.operand.bytes)):")
      }
      let pixels = options.iconSize.pixels
      return InlinePicture.show(png, pixels: pixels, console) ? .done : .failed
    }
    guard let target = options.target, target != [UInt8(ascii: "-")],
      let path = FilePath(bytes: target)
    else {
      console.output.write(png)
      return .done
    }
    do throws(OutputFile.Failure) {
      try OutputFile(path).replace(with: png)
      return .done
    } catch {
      console.report(target[...], "cannot write: \(error.reason)")
      return .failed
    }
  }

  /// Tells where the icon is. One that must not be kept is nowhere, so another has to do.
  private static func tell(
    _ finding: IconFinding, _ format: IconFormat, _ console: Console
  ) -> ExitStatus {
    guard finding.picture != nil else { return format.write(finding) }
    console.report(
      finding.operand.bytes[...],
      "the server forbids keeping the icon: -o FILE or --inline give it")
    var kept = finding
    kept.picture = nil
    kept.hasFailed = true
    return format.write(kept)
  }
}
