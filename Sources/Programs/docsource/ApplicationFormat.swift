import Applications
import CommandLineInterface
import LinuxSystem
import TextFormats

/// How `apps` prints applications.
enum ApplicationFormat {
  static let json = OptionDeclaration("json", help: "print one JSON object per line")

  /// A longer identifier or name does not widen the column for the other lines.
  private static let widthLimit = 60

  /// A table with a line for each application.
  static func writeTable(_ applications: [KnownApplication], _ console: Console) {
    let rows = applications.map { one in
      [one.identifier, one.localizedName ?? ""].map { EscapedText($0).description }
        + [one.origin.rawValue]
    }
    let widths = (0..<2).map { column in
      rows.map { TerminalCells.count($0[column]) }.filter { $0 <= widthLimit }.max() ?? 0
    }
    for row in rows {
      let cells = zip(row, widths).map { TerminalCells.padded($0, to: $1) }
      console.output.writeLine((cells + [row[2]]).joined(separator: "  "))
    }
  }

  static func writeJSON(_ application: KnownApplication, _ console: Console) {
    let sources = application.sources.map { source in
      let path = source.path.map { JSONText.path($0.bytes, key: "path") } ?? [("path", "null")]
      return JSONText.object(
        [
          ("origin", JSONText.string(source.origin.rawValue)),
          ("name", JSONText.string(source.name)),
          ("appInfoURL", JSONText.string(source.appInfoURL)),
        ] + path)
    }
    console.output.writeLine(
      JSONText.object([
        ("identifier", JSONText.string(application.identifier)),
        ("name", JSONText.string(application.name)),
        ("localizedName", JSONText.string(application.localizedName)),
        ("appInfoURL", JSONText.string(application.appInfoURL)),
        ("origin", JSONText.string(application.origin.rawValue)),
        ("sources", "[" + sources.joined(separator: ",") + "]"),
      ]))
  }

  /// A block of all that is known of one application, with the origins.
  static func writeBlock(_ application: KnownApplication, _ console: Console) {
    console.output.writeLine(EscapedText(application.identifier).description)
    if let source = application.nameSource, let name = application.localizedName {
      console.writeRow("Name", "\(name) (\(source.origin.rawValue))")
      if let inFiles = source.name, inFiles != name { console.writeRow("In files", inFiles) }
    }
    if let source = application.appInfoURLSource, let url = source.appInfoURL {
      console.writeRow("App info", "\(url) (\(source.origin.rawValue))")
    }
    for (position, source) in application.sources.enumerated() {
      let path = source.path.map { ": \($0)" } ?? ""
      console.writeRow(position == 0 ? "Known from" : "", source.origin.rawValue + path)
    }
  }
}
