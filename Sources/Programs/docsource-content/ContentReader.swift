import CompanionProtocol
import EmbeddedMetadata
import Glibc
import LinuxSystem

/// Asks exiftool, in the sandbox, what programs have written into files.
struct ContentReader {
  /// Docsource asks no more, or has ended.
  struct Interrupted: Error {}

  /// exiftool is not installed.
  private struct Missing: Error {}

  /// The most bytes of an answer of exiftool.
  private static let limit = 4 << 20
  /// Address space of exiftool in bytes; pictures and documents take it a tenth of that.
  private static let memory: UInt64 = 512 << 20
  private static let end = Array("{ready}\n".utf8)
  private static let question = Array(
    (ExifToolAnswer.arguments + [GuardedProgram.path, "-execute", ""])
      .joined(separator: "\n").utf8)

  private static let missing = """
    exiftool is not installed (Debian: libimage-exiftool-perl); with it, docsource names the program\
     and the device that wrote the content
    """

  private enum Outcome {
    case text([UInt8])
    /// exiftool has ended, is late, or says too much.
    case failed(String)
    case unable(String)
  }

  private var program: GuardedProgram?
  /// Whether it has answered.
  private var isProven = false

  /// What a file says.
  ///
  /// - Parameter descriptor: interrupts the work when it can be read from.
  mutating func answer(
    about file: CInt, unless descriptor: CInt
  ) throws(Interrupted) -> ContentProtocol.Answer {
    var reason = ""
    // One that has read others may have ended of these.
    for _ in isProven ? 0...1 : 0...0 {
      switch try outcome(file, descriptor) {
      case .text(let text):
        isProven = true
        do throws(ExifToolAnswer.Missing) {
          return try ExifToolAnswer.origin(text).map { .origin($0) } ?? .none
        } catch {
          return .failed("exiftool cannot read it", isLasting: false)
        }
      case .failed(let words): reason = words
      case .unable(let words): return .failed(words, isLasting: true)
      }
      program = nil
      isProven = false
    }
    return .failed(reason, isLasting: false)
  }

  /// Ends exiftool.
  mutating func end() { program = nil }

  private mutating func outcome(
    _ file: CInt, _ descriptor: CInt
  ) throws(Interrupted) -> Outcome {
    let end = Clock.milliseconds + ContentProtocol.milliseconds
    var text: [UInt8] = []
    do {
      let program = try self.program ?? Self.started()
      self.program = program
      try program.ask(Self.question)
      while true {
        switch try program.run(handing: file, until: end, unless: descriptor) {
        case .output:
          let block = try program.answer()
          if block.isEmpty { return .failed("exiftool has ended while reading it") }
          text += block
          if text.suffix(Self.end.count) == Self.end[...] {
            return .text(text.dropLast(Self.end.count))
          }
          if text.count > Self.limit { return .failed("exiftool says more of it than is taken") }
        case .late:
          return .failed("exiftool has not read it in \(ContentProtocol.milliseconds / 1000) s")
        case .interrupted: throw Interrupted()
        }
      }
    } catch let interrupted as Interrupted {
      throw interrupted
    } catch is Missing {
      return .unable(Self.missing)
    } catch let failure as GuardedProgram.Failure {
      return .unable("cannot run exiftool: \(failure)")
    } catch {
      // It no longer reads.
      return .failed("exiftool has ended while reading it")
    }
  }

  private static func started() throws -> GuardedProgram {
    guard let path = Program.installed("exiftool") else { throw Missing() }
    let own = path.realPath ?? path
    let directory = own.bytes.dropLast(own.lastComponent.count)
    let library = FilePath(bytes: Array(directory) + Array("lib".utf8))
    return try GuardedProgram(
      path, ["exiftool", "-config", "", "-stay_open", "True", "-@", "-"],
      variables: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"],
      readable: Self.system.map { FilePath($0) } + [own] + [library].compactMap(\.self),
      memory: memory)
  }

  /// What programs in Perl need.
  private static let system = [
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/perl", "/etc/localtime",
    "/dev/null", "/dev/urandom",
  ]
}
