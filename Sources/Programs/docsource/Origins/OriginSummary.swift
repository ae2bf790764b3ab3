import CommandLineInterface
import DocumentSource
import ForeignFormats
import Provenance
import TextFormats

/// How many files came from which application, and from which host.
struct OriginSummary {
  /// More hosts are counted together, since they are untrusted.
  private static let hostLimit = 10_000
  /// No name of a host is longer (RFC 1035, section 2.3.4).
  private static let hostLength = 255

  private var applications = SourceSummary()
  private var hosts: [String: Int] = [:]
  private var otherHosts = 0
  private(set) var marked = 0
  private(set) var unmarked = 0

  mutating func count(_ report: ProvenanceReport) {
    guard !report.marks.isEmpty else {
      unmarked += 1
      return
    }
    marked += 1
    let name = report.text(.name) ?? report.text(.creator)
    let source = DocumentSource(identifier: report.text(.identifier), name: name)
    if !source.isEmpty { applications.count(.source(source, nil)) }
    if let host = report.host ?? report.referrerHost { add(host, 1) }
  }

  mutating func add(_ other: OriginSummary) {
    applications.add(other.applications)
    for (host, count) in other.hosts { add(host, count) }
    otherHosts += other.otherHosts
    marked += other.marked
    unmarked += other.unmarked
  }

  private mutating func add(_ host: String, _ count: Int) {
    if let index = hosts.index(forKey: host) {
      hosts.values[index] += count
    } else if hosts.count < Self.hostLimit, host.utf8.count <= Self.hostLength {
      hosts[host] = count
    } else {
      otherHosts += count
    }
  }

  private var hostRows: [(Int, String)] {
    hosts.map { ($0.value, $0.key) }.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 > $1.0 }
  }

  /// For people: a table of applications and one of hosts, where there are any.
  func write(_ console: Console) {
    let known = hostRows.map { ($0.0, OriginText.host($0.1)) }
    let others = otherHosts > 0 ? [(otherHosts, "other hosts")] : []
    let named = SummaryTable.rows(applications, OriginText.application)
    for (title, rows) in [("By application:", named), ("By host:", known + others)]
    where !rows.isEmpty {
      console.output.writeLine(title)
      SummaryTable.write(rows, [], console)
    }
    console.output.writeLine(
      "\(CountText.of(marked, "file")) with marks of origin, \(CountText.of(unmarked)) without")
  }

  /// For programs: an object a line.
  func writeJSON(_ console: Console) {
    for row in applications.rows {
      let (identifier, name) = (row.source.identifier, row.source.name)
      object(
        "application", ["identifier": .text(identifier), "name": .text(name)], row.count, console)
    }
    if applications.others > 0 { object("otherApplications", [:], applications.others, console) }
    for (count, host) in hostRows { object("host", ["host": .text(host)], count, console) }
    if otherHosts > 0 { object("otherHosts", [:], otherHosts, console) }
    object("marked", [:], marked, console)
    object("unmarked", [:], unmarked, console)
  }

  private func object(
    _ kind: String, _ fields: JSONFields, _ count: Int, _ console: Console
  ) {
    let all = ["summary": .text(kind)] + fields + ["count": .number(count)]
    console.output.writeLine(all.text)
  }
}
