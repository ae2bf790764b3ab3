/// The commands that a document shows, each with what it prints.
package struct Transcript {
  package private(set) var steps: [(command: String, output: String)] = []

  /// A line that begins with `$ ` is a command, those after it that begin with `> ` go on with it,
  /// and the others are what it prints.
  package init(_ lines: some Sequence<Substring>) {
    for line in lines {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), ""))
      } else if let last = steps.indices.last {
        if line.hasPrefix("> "), steps[last].output.isEmpty {
          steps[last].command += "\n" + line.dropFirst(2)
        } else {
          steps[last].output += line + "\n"
        }
      }
    }
  }
}
