import Foundation

/// A manual page of the sources as man(1) shows it.
package struct RenderedPage {
  /// Each heading with the lines below it.
  package private(set) var sections: [(title: String, lines: [Substring])] = []

  package init(_ name: String) throws {
    let page = Fixture.root.appending(path: "Sources/Integrations/man/\(name)").path
    let text = try Execution.run(
      ["man", "-l", page], environment: ["MANWIDTH": "100", "LC_ALL": "C.UTF-8"]
    ).text
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let first = line.first, first != " " {
        sections.append((String(line), []))
      } else if let last = sections.indices.last {
        sections[last].lines.append(line)
      }
    }
  }

  /// The text below a heading, in one line.
  package func text(below heading: String) -> String {
    lines(below: heading).flatMap { $0.split(separator: " ") }.joined(separator: " ")
  }

  /// What the page shows as it is below a heading: programs, transcripts, tables.
  package func blocks(below heading: String) -> [[Substring]] {
    var blocks: [[Substring]] = []
    var gap: [Substring]?
    // Text is indented by seven columns, what is shown as it is by two more.
    for line in lines(below: heading) {
      if line.hasPrefix("         ") {
        if let empty = gap, !blocks.isEmpty {
          blocks[blocks.count - 1] += empty + [line.dropFirst(9)]
        } else {
          blocks.append([line.dropFirst(9)])
        }
        gap = []
      } else if line.isEmpty {
        gap?.append(line)
      } else {
        gap = nil
      }
    }
    return blocks
  }

  private func lines(below heading: String) -> [Substring] {
    sections.first { $0.title == heading }?.lines ?? []
  }
}
