import AppIcon
import Applications
import CommandLineInterface
import LinuxSystem
import TextFormats

/// `docsource icon`: finds, fetches and installs applications' icons.
enum IconCommand: Command {
  static let verb = "icon"
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
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
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
    console.report(
      result.operand.bytes[...],
      "the server forbids keeping the icon: -o FILE or --inline give it")
    var kept = result
    kept.picture = nil
    kept.hasFailed = true
    return format.write(kept)
  }

  private static let manual = ManualText(
    """
    Prints the path of the icon for a file, an identifier like org.example.editor, or the URL of an
    appInfo.json, fetching what is missing.

    A word with :// is the URL of an appInfo.json, the name of an existing file stands for that
    file's application, and another word with a dot and without slash or space is an identifier. Any
    other word is an identifier or a name that docsource-apps-list(1) shows. A file called trust is
    ./trust.

    The icon is the first of these:

      1. your own choice, $XDG_CONFIG_HOME/docsource/icons/IDENTIFIER.png or .svg
      2. the application's icon from the URL in the attribute, cut to the outline
         of an iOS icon
      3. the icon theme's for the application, by its desktop file or identifier
      4. that of an AppStream catalog or a flatpak remote
      5. one for any document

    With --explain it says of each why it won or lost. With --json each operand is an object on a
    line of its own with the members operand, identifier, appInfoURL, origin (override, remote,
    theme, catalog, generic or null), path, pixels and stale.

    --size counts in points, 64 if not given, and --scale is pixels a point, 1 if not given. -o
    writes a PNG of that size, whatever it comes from; an SVG needs rsvg-convert(1). --inline shows
    it on a terminal: kitty, Ghostty, WezTerm, or any other with chafa(1). --install puts an
    application's own icon into your icon theme, so that file managers find it, and refuses to for
    applications that are installed.

    The URL comes from whoever marked the file, and fetching it tells them that somebody looked. So
    it is fetched over https only, from public addresses only, without cookies, credentials or
    proxy, and decoded in a process that has given up its rights. Of the environment the fetching
    program gets HOME and the XDG variables below: certificates are those in /etc/ssl/certs,
    whatever SSL_CERT_FILE and SSL_CERT_DIR say, and neither https_proxy nor SSLKEYLOGFILE,
    OPENSSL_CONF, LD_PRELOAD and the like reach it. --offline takes what is there, and --trusted
    fetches only from the hosts on a list of yours, kept by docsource-icon-trust(1).

    The cache holds 32 MiB and 2000 entries at most; those used least recently go first. What a
    server says about freshness is followed, and failures are remembered for an hour to a week;
    --refresh asks anyway.
    """,
    exitStatus: [
      .noSource: "There is no icon, or some file has no document source.",
      .failed: "No icon was found, or none written, because something failed.",
    ],
    environment: [
      ManualText.Entry("XDG_CACHE_HOME", "Where the cache is; ~/.cache if not set."),
      ManualText.Entry("XDG_CONFIG_HOME", "Where your choices are; ~/.config if not set."),
      ManualText.Entry(
        "XDG_DATA_HOME",
        "Where your icon themes and desktop files are; ~/.local/share if not set."),
      ManualText.Entry(
        "XDG_DATA_DIRS", "Where the system's are; /usr/local/share:/usr/share if not set."),
      Tool.noColor,
    ],
    files: [
      ManualText.Entry(
        "$XDG_CONFIG_HOME/docsource/icons",
        "Icons of your choice, named for the application's identifier."),
      ManualText.Entry("$XDG_CONFIG_HOME/docsource/trusted-hosts", "The trusted hosts."),
      ManualText.Entry("$XDG_CACHE_HOME/docsource/v1", "The cache."),
    ],
    seeAlso: ["rsvg-convert(1)", "chafa(1)"])
}
