import CommandLineInterface
import Glibc
import TextFormats

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
        "this terminal is not known to show pictures: install chafa, or use kitty, Ghostty or"
          + " WezTerm")
      return false
    }
    let cell = TerminalSize(of: console.output)?.cell ?? (width: 8, height: 16)
    let columns = (pixels + cell.width - 1) / cell.width
    let rows = (pixels + cell.height - 1) / cell.height
    console.output.flush()
    do throws(ChildProcess.Failure) {
      let words = ["--size", "\(columns)x\(rows)", "/dev/stdin"].map { Array($0.utf8) }
      let ending = try chafa.start(words, input: png, output: .ours).wait()
      return ending.status == .done
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
