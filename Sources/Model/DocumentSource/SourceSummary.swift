package import LinuxSystem

/// The content of a file's attribute as a filter needs it.
package enum FileSource: Sendable {
  /// Only the fields that were asked for.
  case source(DocumentSource, SourceAttribute?)
  /// No attribute, or none of the four fields in it.
  case untagged(Absence)
  case damaged(DocumentSourceError)

  /// Reads the attribute of a file.
  ///
  /// On a file system that stores no user attributes every file is untagged.
  ///
  /// - Parameters:
  ///   - fields: those that are needed; the others are left out of the source.
  ///   - carriers: the forms of the attribute to look for.
  /// - Throws: `DocumentSourceError` where the kernel refuses.
  package init(
    of file: FileReference, fields: DocumentSource.FieldSet = .all,
    carriers: DocumentSourceAttribute.Carriers = .all
  ) throws(DocumentSourceError) {
    do throws(DocumentSourceError) {
      let found = try DocumentSourceAttribute(of: file)
        .content(fields, in: carriers)
      switch found.content {
      case .source(let source, _): self = .source(source, found.carrier)
      case .none(let absence): self = .untagged(absence)
      }
    } catch {
      switch error.cause {
      case .damaged: self = .damaged(error)
      case _ where error.isOfUnsupportedPlace: self = .untagged(.noAttribute)
      default: throw error
      }
    }
  }
}

/// Counts files by the application they came from.
///
/// Applications are distinguished by identifier, or by name where they have none. Since both are
/// untrusted input, the memory for them is limited; the files of further applications are counted
/// together.
package struct SourceSummary: Sendable {
  /// What distinguishes an application.
  private enum Key: Hashable {
    case identifier(String)
    case name(String)
    case unnamed
  }

  private struct Application {
    var name: String?
    var count: Int
  }

  /// The most bytes of identifiers and names that are kept.
  private static let mostBytes = 8 << 20
  /// The approximate memory for an application besides its texts.
  private static let bytesForEach = 256

  package private(set) var untagged = 0
  package private(set) var damaged = 0
  /// The files of applications beyond the limit.
  package private(set) var others = 0
  private var applications: [Key: Application] = [:]
  private var bytes = 0

  package init() {}

  package mutating func count(_ state: FileSource) {
    switch state {
    case .untagged: untagged += 1
    case .damaged: damaged += 1
    case .source(let source, _):
      let key: Key =
        source.identifier.map { .identifier($0) } ?? source.name.map { .name($0) } ?? .unnamed
      add(key, Application(name: source.name, count: 1))
    }
  }

  package mutating func add(_ other: SourceSummary) {
    untagged += other.untagged
    damaged += other.damaged
    others += other.others
    for (key, application) in other.applications { add(key, application) }
  }

  private mutating func add(_ key: Key, _ application: Application) {
    guard let index = applications.index(forKey: key) else {
      let identifier = if case .identifier(let text) = key { text } else { "" }
      let cost =
        identifier.utf8.count + (application.name?.utf8.count ?? 0) + Self.bytesForEach
      guard bytes + cost <= Self.mostBytes else {
        others += application.count
        return
      }
      bytes += cost
      applications[key] = application
      return
    }
    applications.values[index].count += application.count
    // Of several names the first in the order of bytes stays, whichever thread met which.
    let former = applications.values[index].name
    guard let name = application.name, former.map({ name < $0 }) ?? true else { return }
    let growth = name.utf8.count - (former?.utf8.count ?? 0)
    guard bytes + growth <= Self.mostBytes else { return }
    bytes += growth
    applications.values[index].name = name
  }

  /// The applications, in no order.
  package var counts: [(source: DocumentSource, count: Int)] {
    applications.map { key, application in
      let identifier: String? = if case .identifier(let text) = key { text } else { nil }
      return (DocumentSource(identifier: identifier, name: application.name), application.count)
    }
  }
}
