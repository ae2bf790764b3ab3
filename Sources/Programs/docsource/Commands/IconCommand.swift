import AppIcon
import Applications
import CommandLineInterface
import LinuxSystem
import TextFormats

/// `docsource icon`: finds, fetches and installs applications' icons.
enum IconCommand: Command {
  static let verb = "icon"
  static let answerOfFailure: [(key: String, value: String)]? = []
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

  private static let manual = ManualText(
    """
    Prints the path of the icon for a file, an identifier such as org.example.editor, or the URL of
    an appInfo.json, and fetches what is missing.

    A word with :// is the URL of an appInfo.json, the name of an existing file stands for the
    application of that file, and another word with a dot and without a slash or space is an
    identifier. Any other word is an identifier or a name that docsource-apps-list(1) shows. Write
    ./trust for a file called trust.

    The icon is the first of these:

      1. your own choice, $XDG_CONFIG_HOME/docsource/icons/IDENTIFIER.png or .svg
      2. the application's icon from the URL in the attribute, cut to the outline
         of an iOS icon
      3. the icon theme's icon for the application, by desktop file or identifier
      4. the icon in an AppStream catalog or a flatpak remote
      5. a generic document icon

    --explain says why each icon was chosen or not. With --json, each operand is an object on a line
    of its own with the members operand; identifier; appInfoURL; place, where the icon was found
    (override, remote, theme, catalog or generic); icon, the path of the icon, or null; pixels; and
    stale; and if there is no icon, reason or error. With --explain, considerations follow, each
    with place, subject, won and reason.

    --size is in points (default: 64), and --scale is in pixels per point (default: 1). -o writes a
    PNG of that size, whatever the source; an SVG needs rsvg-convert(1). --inline shows the icon in
    the terminal: kitty, Ghostty, WezTerm, or any other terminal with chafa(1). --install puts the
    application's own icon into your icon theme for file managers, but refuses to do so for
    applications that are installed.

    The URL comes from whoever marked the file, and fetching it reveals that somebody looked at the
    file. Therefore docsource fetches only over https and only from public addresses, without
    cookies, credentials or proxy, and decodes pictures in a sandboxed process. The fetching program
    gets only HOME and the XDG variables below from the environment: certificates come from
    /etc/ssl/certs, whatever SSL_CERT_FILE and SSL_CERT_DIR say, and https_proxy, SSLKEYLOGFILE,
    OPENSSL_CONF, LD_PRELOAD and similar variables have no effect. --offline uses only what is
    present on this machine, and --trusted fetches only from the hosts on your own list, which
    docsource-icon-trust(1) manages.

    The cache holds at most 32 MiB and 2000 entries; the least recently used are removed first.
    docsource follows what a server says about freshness, and remembers failures for an hour to a
    week; --refresh asks the server anyway.
    """,
    exitStatus: [
      .noSource: "There is no icon, or some file has no document source.",
      .failed: "No icon was found or written because something failed.",
    ],
    environment: [
      ManualText.Entry("XDG_CACHE_HOME", "Location of the cache (default: ~/.cache)."),
      ManualText.Entry("XDG_CONFIG_HOME", "Location of your choices (default: ~/.config)."),
      ManualText.Entry(
        "XDG_DATA_HOME",
        "Location of your icon themes and desktop files (default: ~/.local/share)."),
      ManualText.Entry(
        "XDG_DATA_DIRS",
        "Locations of the system's icon themes and desktop files (default:"
          + " /usr/local/share:/usr/share)."),
      Tool.noColor,
    ],
    files: [
      ManualText.Entry(
        "$XDG_CONFIG_HOME/docsource/icons",
        "Icons of your choice, named after the application's identifier."),
      ManualText.Entry("$XDG_CONFIG_HOME/docsource/trusted-hosts", "The trusted hosts."),
      ManualText.Entry("$XDG_CACHE_HOME/docsource/v1", "The cache."),
    ],
    sections: [session], seeAlso: ["rsvg-convert(1)", "chafa(1)"])

  private static let session = ManualText.Section(
    "EXAMPLE SESSION",
    """
    editor.png is any PNG; file is in the package file.

      $ touch letter.txt && docsource tag -q -i org.example.editor letter.txt
      $ docsource icon letter.txt
      docsource: letter.txt: no icon
      $ install -D editor.png ~/.config/docsource/icons/org.example.editor.png
      $ docsource icon letter.txt | xargs basename
      org.example.editor.png
      $ docsource icon --size 29 --scale 2 -o icon.png letter.txt
      $ file icon.png
      icon.png: PNG image data, 58 x 58, 8-bit/color RGBA, non-interlaced
      $ docsource icon trust add icons.example.com
      icons.example.com: added
    """)
}
