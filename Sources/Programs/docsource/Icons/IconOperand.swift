import AppIcon
import CommandLineInterface
import DocumentSource
import Glibc
import LinuxSystem
import TextFormats

/// What a word on the command line of `docsource icon` asks the icon of.
struct IconOperand {
  /// Why there is nothing to look for.
  struct Failure: Error {
    let status: ExitStatus
    /// In words that follow the operand.
    let reason: String
  }

  let bytes: [UInt8]
  let identifier: String?
  let appInfoURL: String?
  /// Whether nothing but a name was given, which may as well be a file's, misspelt.
  let isName: Bool

  /// Takes a word with `://` for the URL of an appInfo.json, the name of an existing file for its
  /// document source, and a word with a dot and no slash for an identifier.
  init(_ bytes: [UInt8], _ console: Console) throws(Failure) {
    self.bytes = bytes
    if Self.isURL(bytes) {
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(ResolvedURL.Refusal) {
        _ = try ResolvedURL(text)
      } catch {
        throw Failure(status: .failed, reason: error.reason)
      }
      (identifier, appInfoURL, isName) = (nil, text, false)
    } else if let path = FilePath(bytes: bytes), Self.exists(path) {
      let source = try Self.source(of: path, console)
      (identifier, appInfoURL, isName) = (source.identifier, source.appInfoURL, false)
    } else if bytes.contains(UInt8(ascii: ".")), !bytes.contains(UInt8(ascii: "/")),
      let text = String(validating: bytes, as: UTF8.self)
    {
      (identifier, appInfoURL, isName) = (text, nil, true)
    } else {
      throw Failure(
        status: .failed,
        reason: "no such file, and neither an identifier like org.example.editor nor a URL")
    }
  }

  private static func isURL(_ bytes: [UInt8]) -> Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return bytes[colon...].starts(with: "://".utf8)
  }

  /// The corresponding C function is lstat(2): a link that leads nowhere is reported as such.
  private static func exists(_ path: FilePath) -> Bool {
    var status = stat()
    return unsafe path.withCString { unsafe lstat($0, &status) } == 0
  }

  private static func source(
    of path: FilePath, _ console: Console
  ) throws(Failure) -> DocumentSource {
    let finding: Finding
    do throws(DocumentSourceError) {
      finding = try DocumentSourceAttribute(of: .path(path)).read()
    } catch {
      throw Failure(status: .failed, reason: error.message)
    }
    switch finding.content {
    case .source(let source, let mistyped):
      for key in mistyped {
        console.report(path.bytes, "\(EscapedText(key.description)); ignored")
      }
      return source
    case .none(let absence): throw Failure(status: .noSource, reason: absence.description)
    }
  }
}
