import AppIcon
import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats

/// An icon as the PNG that was asked for.
struct IconPicture {
  let size: IconSize
  let options: IconOptions
  let console: Console

  /// The application's own icon as it was made, any other scaled to the size; with its own outline
  /// unless one was asked for. `nil` after saying why there is none.
  func png(of result: IconSearch.Result) -> [UInt8]? {
    if let picture = result.picture { return picture }
    guard let path = result.path, let bytes = InputFile(path: path).read(console) else {
      return nil
    }
    if result.origin == .remote { return bytes }
    do throws(ChildProcess.Failure) {
      let png = Self.isPNG(bytes) ? bytes : try drawn(svg: bytes, path)
      guard let png else { return nil }
      let rendering = IconRendering(
        size: size, shape: options.chosenShape ?? .none, hasStroke: options.hasStroke)
      let ending = try CompanionProgram.fetch.start(
        (["render"] + rendering.arguments).map { Array($0.utf8) }, input: png
      ).wait()
      if ending.status == .done { return ending.output }
      console.report(path.bytes, "cannot scale: \(EscapedText(ending.errors))")
    } catch {
      console.report(path.bytes, "cannot scale: \(error)")
    }
    return nil
  }

  /// Pictures without this first word are drawings here: themes have no other kinds.
  private static func isPNG(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x89, 0x50, 0x4e, 0x47])
  }

  private func drawn(svg: [UInt8], _ path: FilePath) throws(ChildProcess.Failure) -> [UInt8]? {
    guard let program = InstalledProgram("rsvg-convert") else {
      console.report(path.bytes, "an SVG needs rsvg-convert; install the package librsvg2-bin")
      return nil
    }
    let pixels = "\(size.pixels)"
    let words = ["--width", pixels, "--height", pixels, "--keep-aspect-ratio", "--format", "png"]
    let ending = try program.start(words.map { Array($0.utf8) }, input: svg).wait()
    guard ending.status == .done, !ending.output.isEmpty else {
      console.report(path.bytes, "rsvg-convert cannot draw the icon")
      return nil
    }
    return ending.output
  }
}

/// A picture on the terminal.
enum InlinePicture {
  /// Bytes of Base64 in one piece, by the kitty graphics protocol.
  private static let chunk = 4096

  /// Shows a PNG, with kitty's protocol where the terminal is known to have it, else with chafa.
  ///
  /// - Parameter pixels: a side.
  /// - Returns: whether it was shown; where not, the reason has been said.
  static func show(_ png: [UInt8], pixels: Int, _ console: Console) -> Bool {
    if speaksKitty(ProgressBar.environment) {
      writeKitty(png) { console.output.write($0) }
      console.output.writeLine("")
      return true
    }
    guard let chafa = InstalledProgram("chafa") else {
      console.say(
        "this terminal cannot show pictures; install chafa, or use kitty, Ghostty or"
          + " WezTerm")
      return false
    }
    let cell = TerminalSize(of: console.output)?.cell ?? (width: 8, height: 16)
    let columns = (pixels + cell.width - 1) / cell.width
    let rows = (pixels + cell.height - 1) / cell.height
    console.output.flush()
    do throws(ChildProcess.Failure) {
      let words = ["--size", "\(columns)x\(rows)", "/dev/stdin"].map { Array($0.utf8) }
      return try chafa.start(words, input: png, output: .inherited).wait().status == .done
    } catch {
      console.say("\(error)")
      return false
    }
  }

  /// Whether a terminal has kitty's protocol. A multiplexer does not let it through.
  static func speaksKitty(_ variable: (String) -> String?) -> Bool {
    if variable("TMUX") != nil || variable("STY") != nil { return false }
    if variable("KITTY_WINDOW_ID") != nil { return true }
    if ["xterm-kitty", "xterm-ghostty"].contains(variable("TERM")) { return true }
    return ["kitty", "ghostty", "WezTerm"].contains(variable("TERM_PROGRAM"))
  }

  /// The kitty graphics protocol's "transfer and display" of a PNG, without an answer (`q=2`).
  static func writeKitty(_ png: [UInt8], write: (String) -> Void) {
    var rest = Base64.text(of: png[...])[...]
    var keys = "a=T,f=100,q=2,"
    repeat {
      let piece = rest.prefix(chunk)
      rest = rest[piece.endIndex...]
      write("\u{1b}_G\(keys)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1b}\\")
      keys = ""
    } while !rest.isEmpty
  }
}

/// `docsource icon --install`: puts applications' own icons into the user's icon theme.
struct IconInstallation {
  let search: IconSearch
  let options: IconOptions
  let console: Console

  func install(_ operand: IconOperand) -> ExitStatus {
    guard let identifier = operand.identifier else {
      console.report(operand.bytes[...], "cannot install the icon: unknown application identifier")
      return .negative
    }
    do throws(ThemedIcon.Refusal) {
      return try install(operand, as: ThemedIcon(identifier, search.places))
    } catch {
      console.report(operand.bytes[...], EscapedText("not installed: \(error.reason)").description)
      return .failed
    }
  }

  /// Installs the sizes that the picture fills, and the next one: a desktop that wants a larger one
  /// scales that.
  private func install(
    _ operand: IconOperand, as icon: ThemedIcon
  ) throws(ThemedIcon.Refusal) -> ExitStatus {
    defer { icon.announce() }
    for (position, pixels) in ThemedIcon.sizes.enumerated() {
      guard let size = IconSize(points: Double(pixels)) else { continue }
      let isFirst = position == 0
      // Servers are asked about changes once, not for each size.
      let mode = isFirst || options.mode == .offline ? options.mode : .missing
      guard let result = search.find([operand], size: size, mode: mode).first else { continue }
      if case .override(let path) = result.report.answer, path.isSVG {
        guard let svg = InputFile(path: path).read(console) else { return .failed }
        tell(operand, try icon.install(svg: svg))
        return .done
      }
      guard result.origin == .remote || result.origin == .override else {
        // A larger picture may be unreachable where a smaller one was not.
        guard isFirst else { return result.hasFailed ? .failed : .done }
        return nothing(result)
      }
      let picture = IconPicture(size: size, options: options, console: console)
      guard let png = picture.png(of: result) else { return .failed }
      tell(operand, try icon.install(png: png, size: pixels))
      if result.hasFailed { return .failed }
      if let side = result.report.side, side <= pixels { break }
    }
    return .done
  }

  private func nothing(_ result: IconSearch.Result) -> ExitStatus {
    if result.hasFailed { return .failed }
    let words =
      result.origin == nil
      ? "no icon" : "no icon except that of a theme, which is not installed again"
    console.report(result.operand.bytes[...], words)
    return .negative
  }

  private func tell(_ operand: IconOperand, _ path: FilePath) {
    console.output.writeLine(
      "\(EscapedText(operand.bytes)): installed: \(EscapedText(path.bytes))")
  }
}

extension FilePath {
  fileprivate var isSVG: Bool { lastComponent.suffix(4).elementsEqual(".svg".utf8) }
}
