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
      var members = JSONText.member("knownFrom", source.origin.rawValue)
      members += JSONText.member("name", source.name)
      members += JSONText.member("appInfoURL", source.appInfoURL)
      if let file = source.path { members += JSONText.path(file.bytes) }
      return JSONText.object(members)
    }
    var members = JSONText.member("identifier", application.identifier)
    members += JSONText.member("name", application.name)
    members += JSONText.member("localizedName", application.localizedName)
    members += JSONText.member("appInfoURL", application.appInfoURL)
    members += JSONText.member("knownFrom", application.origin.rawValue)
    members.append(("sources", JSONText.array(sources)))
    console.write(members)
  }

  /// A block of all that is known of one application, with where each value is known from.
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
