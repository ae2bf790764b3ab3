package import ForeignFormats
internal import LinuxSystem

/// How docsource asks docsource-records for packages: one question, and as many answers as there are.
package enum PackagesProtocol {
  package enum Answer: Hashable, Sendable {
    /// Files of one package, by one list.
    case package([PackageRecord])
    /// A database that cannot be read, by its path, and why.
    case failed(database: [UInt8], String)

    /// No bytes for a package without files.
    package var bytes: [UInt8] {
      switch self {
      case .package(let records):
        guard let first = records.first else { return [] }
        let words = [
          "package", first.manager.rawValue, first.package, first.version ?? "",
          first.architecture ?? "", first.installed.map { "\($0)" } ?? "",
        ]
        var fields = words.map { Array($0.utf8) } + [first.database]
        for record in records {
          let algorithm = record.checksum.map { Array($0.algorithm.rawValue.utf8) } ?? []
          fields += [
            record.file, record.path == record.file ? [] : record.path, algorithm,
            record.checksum?.digest ?? [],
          ]
        }
        return CompanionMessage(fields).bytes
      case .failed(let database, let reason):
        return CompanionMessage([Array("failed".utf8), database, Array(reason.utf8)]).bytes
      }
    }

    /// `nil` for what is no answer.
    package init?(_ message: CompanionMessage) {
      let fields = message.fields
      switch fields.isEmpty ? "" : message.text(0) {
      case "failed" where fields.count == 3:
        self = .failed(database: fields[1], message.text(2))
      case "package" where fields.count > 7 && fields.count % 4 == 3:
        guard let manager = PackageRecord.Manager(rawValue: message.text(1)) else { return nil }
        let name = message.text(2)
        func text(_ index: Int) -> String? {
          fields[index].isEmpty ? nil : message.text(index)
        }
        let (version, architecture) = (text(3), text(4))
        let installed = text(5).flatMap { Double($0) }
        if !fields[5].isEmpty, installed == nil { return nil }
        var records: [PackageRecord] = []
        for start in stride(from: 7, to: fields.count, by: 4) {
          var checksum: PackageRecord.Checksum?
          if let algorithm = text(start + 2) {
            checksum = PackageRecord.Checksum.Algorithm(rawValue: algorithm).flatMap {
              PackageRecord.Checksum($0, fields[start + 3])
            }
            guard checksum != nil else { return nil }
          }
          let path = fields[start + 1]
          records.append(
            PackageRecord(
              manager: manager, package: name, version: version, architecture: architecture,
              database: fields[6], file: fields[start], path: path.isEmpty ? fields[start] : path,
              checksum: checksum, installed: installed))
        }
        self = .package(records)
      default: return nil
      }
    }
  }

  /// The most files of a question.
  package static let fileLimit = 64
  /// The most bytes of all answers.
  package static let limit = 128 << 20

  /// How long all databases together are read, in milliseconds: thousands of files, from a slow disk.
  package static func milliseconds(for question: PackageQuestion) -> Int {
    if case .trees = question.extent { 30_000 } else { 10_000 }
  }

  /// When the program is ended, in milliseconds after its start.
  package static func limit(for question: PackageQuestion) -> Int {
    milliseconds(for: question) + 1000
  }

  private static let checksums = "checksums"

  package static func message(_ question: PackageQuestion) -> CompanionMessage {
    let option = Array((question.wantsChecksums ? checksums : "").utf8)
    func message(_ kind: String, _ fields: [[UInt8]]) -> CompanionMessage {
      CompanionMessage([Array("packages \(kind)".utf8), option] + fields)
    }
    return switch question.extent {
    case .files(let files):
      message("files", files.flatMap { [$0.path, flags($0)] })
    case .entries(let directory): message("entries", [directory])
    case .trees(let directories): message("trees", directories)
    }
  }

  private static func flags(_ file: PackagedFile) -> [UInt8] {
    Array((file.isDirectory ? "d" : "").utf8) + Array((file.isOfUser ? "u" : "").utf8)
  }

  /// Reads a question; `nil` for what is none.
  package static func question(_ message: CompanionMessage) -> PackageQuestion? {
    let fields = message.fields
    guard fields.count > 2, fields[1].isEmpty || message.text(1) == checksums else { return nil }
    let wantsChecksums = !fields[1].isEmpty
    let rest = Array(fields[2...])
    switch message.text(0) {
    case "packages files" where rest.count % 2 == 0 && rest.count / 2 <= fileLimit:
      let files = stride(from: 0, to: rest.count, by: 2).map { start in
        PackagedFile(
          path: rest[start], isDirectory: rest[start + 1].contains(UInt8(ascii: "d")),
          isOfUser: rest[start + 1].contains(UInt8(ascii: "u")))
      }
      guard files.allSatisfy({ isAbsolute($0.path) }) else { return nil }
      return PackageQuestion(.files(files), wantsChecksums: wantsChecksums)
    case "packages entries" where rest.count == 1 && isAbsolute(rest[0]):
      return PackageQuestion(.entries(rest[0]), wantsChecksums: wantsChecksums)
    case "packages trees" where rest.count <= fileLimit && rest.allSatisfy(isAbsolute):
      return PackageQuestion(.trees(rest), wantsChecksums: wantsChecksums)
    default: return nil
    }
  }

  private static func isAbsolute(_ path: [UInt8]) -> Bool {
    path.first == UInt8(ascii: "/") && !path.contains(0)
  }

  /// The answers that docsource-records has written.
  ///
  /// - Returns: `nil` for anything else.
  package static func answers(_ bytes: [UInt8]) -> [Answer]? {
    guard let messages = try? CompanionMessage.all(in: bytes) else { return nil }
    let answers = messages.compactMap { Answer($0) }
    return answers.count == messages.count ? answers : nil
  }
}
