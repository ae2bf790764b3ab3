import Applications
import CommandLineInterface
import ForeignFormats
import TextFormats

/// Has `docsource-xml` read what AppStream's metainfo says of users' applications.
///
/// The files may be a user's own, so that no parser of XML may have root's rights: the program gives
/// up all of its rights before it reads them.
final class ApplicationDescriber {
  /// Longer than the program gives itself, in milliseconds: nothing is watched meanwhile.
  private static let timeLimit = 6000
  /// Whoever's files take longer is not let hold up the others again; in milliseconds.
  private static let patience = 2000

  /// What could not be had, in words.
  private(set) var failure: String?
  private let interruption: CInt
  /// What there is of users whose files took too long.
  private var slow: [UInt32: [ApplicationDescription]] = [:]
  /// Most users have the system's files only.
  private var last: (files: MetainfoFiles, descriptions: [ApplicationDescription])?

  /// - Parameter interruption: a descriptor that can be read from when there is something else to do.
  init(interruption: CInt) { self.interruption = interruption }

  /// Begins anew, also with the users whose files took too long.
  func reset() {
    failure = nil
    slow = [:]
  }

  /// Forgets the files that were read.
  func release() { last = nil }

  /// Describes a user's applications to that user.
  func describe(_ user: WatchedUser) {
    let files = user.takeMetainfo()
    let number = user.account.user
    guard !files.contents.isEmpty else { return }
    if let known = slow[number] ?? (last?.files == files ? last?.descriptions : nil) {
      user.describe(known)
      return
    }
    let start = Clock.milliseconds
    var descriptions: [ApplicationDescription] = []
    do {
      guard let read = try read(files) else { return }
      descriptions = read
      last = (files, read)
    } catch {
      failure = "applications without a desktop file get no name from AppStream: \(error)"
    }
    if Clock.milliseconds - start > Self.patience { slow[number] = descriptions }
    user.describe(descriptions)
  }

  /// - Returns: `nil` where there is something else to do.
  private func read(_ files: MetainfoFiles) throws -> [ApplicationDescription]? {
    let name = "docsource-xml"
    let process = try CompanionProgram(name).start(
      ["metainfo", name].map { Array($0.utf8) }, input: try files.binary(), errors: .kept)
    switch try process.wait(milliseconds: Self.timeLimit, unless: interruption) {
    case .interrupted: return nil
    case .late:
      throw ChildProcess.Failure(description: "\(name) took longer than \(Self.timeLimit / 1000) s")
    case .ended(let ending):
      guard ending.status == .done else {
        throw ChildProcess.Failure(description: Self.reason(ending.errors, name))
      }
      guard let list = try? ApplicationDescription.list(binary: ending.output),
        list.count == files.contents.count
      else { throw ChildProcess.Failure(description: "\(name) is of another version") }
      return list.compactMap(\.self)
    }
  }

  /// What a program of ours has said of itself, without the names that a message begins with.
  private static func reason(_ words: [UInt8], _ name: String) -> String {
    let line = String(decoding: words.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let start = "\(Tool.name): \(name): "
    return "\(EscapedText(line.hasPrefix(start) ? String(line.dropFirst(start.count)) : line))"
  }
}
