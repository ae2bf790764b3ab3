import CommandLineInterface
import CompanionProtocol
import FileTree
import Glibc
import LinuxSystem
import Synchronization
import TextFormats
import UniformType

/// Asks docsource-share for the kinds of files.
enum TypeDetection {
  /// The kinds of files in their order; `nil` for one after saying why it is not known.
  ///
  /// - Returns: `nil` after saying why docsource-share does not work.
  static func types(of paths: [FilePath], links: Links, _ console: Console) -> [DetectedType?]? {
    let known = paths.map { path in isThere(path, links, console) }
    let asked = zip(paths, known).filter(\.1).map(\.0)
    guard !asked.isEmpty else { return paths.map { _ in nil } }
    let verb = TypeProtocol.verb(follows: links == .follow)
    var answers: ArraySlice<CompanionMessage>
    do {
      let questions = asked.flatMap { TypeProtocol.question(Array($0.bytes)).bytes }
      let ending = try CompanionProgram.share.start([Array(verb.utf8)], input: questions).wait()
      console.passOn(ending.errors)
      guard ending.status == .done else { return nil }
      answers = try CompanionMessage.all(in: ending.output)[...]
    } catch let failure as ChildProcess.Failure {
      console.say("\(failure)")
      return nil
    } catch {
      console.say(otherVersion)
      return nil
    }
    var types: [DetectedType?] = []
    for (path, isKnown) in zip(paths, known) {
      guard isKnown else {
        types.append(nil)
        continue
      }
      guard let answer = answers.popFirst().flatMap(TypeProtocol.Answer.init) else {
        console.say(otherVersion)
        return nil
      }
      types.append(taken(answer, path, console))
    }
    return types
  }

  private static let otherVersion = "docsource-share has a different version"

  /// Whether a file is there, after saying why it is not.
  static func isThere(_ path: FilePath, _ links: Links, _ console: Console) -> Bool {
    var status = stat()
    let result = unsafe path.withCString { path in
      unsafe links == .follow ? stat(path, &status) : lstat(path, &status)
    }
    if result == 0 { return true }
    console.fail(path.bytes, "cannot read: \(Errno.current.description.lowercased())")
    return false
  }

  fileprivate static func taken(
    _ answer: TypeProtocol.Answer, _ path: FilePath, _ console: Console
  ) -> DetectedType? {
    switch answer {
    case .type(let mime, let nameMIME, let classes):
      return DetectedType(mime, nameMIME: nameMIME, classes)
    case .failed(let reason):
      console.fail(path.bytes, "cannot tell its type: \(reason)")
      return nil
    }
  }
}

/// A docsource-share that is asked for one file after the other, by several threads in turn.
final class TypeDetector: Sendable {
  private enum State {
    case notStarted
    case running(CompanionConnection)
    /// It does not work, as was said once.
    case broken
  }

  private let state = Mutex(State.notStarted)

  /// The kind of a file; `nil` after saying why it is not known.
  func type(of path: FilePath, _ console: Console) -> DetectedType? {
    let answer = state.withLock { state -> TypeProtocol.Answer? in
      if case .broken = state { return nil }
      if case .notStarted = state {
        do throws(ChildProcess.Failure) {
          state = .running(
            try CompanionConnection(
              .share, [Array(TypeProtocol.verb(follows: true).utf8)],
              limit: TypeProtocol.messageLimit))
        } catch {
          console.say("\(error)")
          state = .broken
        }
      }
      guard case .running(let companion) = state else { return nil }
      let question = TypeProtocol.question(Array(path.bytes))
      let message = (try? companion.answer(to: question)) ?? nil
      if let answer = message.flatMap(TypeProtocol.Answer.init) { return answer }
      console.say("docsource-share has ended; 'docsource rule type FILE' tells more")
      state = .broken
      return nil
    }
    return answer.flatMap { TypeDetection.taken($0, path, console) }
  }

  var isBroken: Bool {
    state.withLock { state in if case .broken = state { true } else { false } }
  }
}

/// The types that the user has added to the built-in ones: by files in
/// `$XDG_DATA_HOME/docsource/types.d`, and by property lists that `--declarations` names.
struct DeclaredTypes {
  static let option = OptionDeclaration(
    "declarations", value: "FILE", repeats: true,
    help: "add the types that FILE, such as an Info.plist, declares")

  private static let fileLimit = 1 << 20

  private var declarations: [TypeDeclaration] = []

  /// - Returns: `nil` after saying which file cannot be read.
  init?(_ arguments: Arguments, _ console: Console) {
    if let home = BaseDirectories.current().dataHome {
      let directory = home.appending(FilePath("docsource/types.d"))
      let names: [String]
      do throws(Errno) {
        names = try InstalledDirectory(path: directory).listed()
      } catch {
        console.fail(directory.bytes, "cannot read: \(error.description.lowercased())")
        return nil
      }
      for name in names where name.utf8.suffix(5).elementsEqual(".json".utf8) {
        let file = directory.appending(FilePath(name))
        guard let bytes = Self.content(file, console) else { return nil }
        guard add(bytes, .json, file.bytes, console) else { return nil }
      }
    }
    for operand in arguments.values(Self.option) {
      let input = InputFile(path: FilePath(bytes: operand))
      guard let bytes = input.read(console),
        add(bytes, PropertyListForm(ofAny: bytes), input.name, console)
      else { return nil }
    }
  }

  private static func content(_ file: FilePath, _ console: Console) -> [UInt8]? {
    do throws(Errno) {
      let descriptor = try Descriptor.open(file)
      defer { close(descriptor) }
      if let bytes = try Descriptor.read(descriptor, limit: fileLimit) { return bytes }
      console.fail(file.bytes, "cannot read: larger than \(fileLimit >> 20) MiB")
    } catch {
      console.fail(file.bytes, "cannot read: \(error.description.lowercased())")
    }
    return nil
  }

  private mutating func add(
    _ bytes: [UInt8], _ form: PropertyListForm, _ name: ArraySlice<UInt8>, _ console: Console
  ) -> Bool {
    guard let list = form.value(of: bytes, name, console) else {
      return false
    }
    do throws(TypeDeclaration.Failure) {
      declarations += try TypeDeclaration.all(in: list)
      return true
    } catch {
      console.fail(name, "cannot read types: \(error)")
      return false
    }
  }

  /// The built-in types, the user's, and others.
  func tree(adding others: [TypeDeclaration] = []) -> TypeTree {
    declarations.isEmpty && others.isEmpty ? .builtIn : TypeTree(adding: declarations + others)
  }
}
