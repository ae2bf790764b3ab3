import CommandLineInterface
import DocumentSource
import FileTree
import Glibc
import LinuxSystem
import TextFormats
import Xattr

/// Copies attributes from one file to others.
struct SourceCopying {
  let links: Links
  let isDry: Bool
  let isQuiet: Bool
  let console: Console

  /// Copies the document source alone.
  func copySource(from source: FilePath, to targets: ArraySlice<FilePath>) -> ExitStatus {
    let bytes: [UInt8]
    do throws(DocumentSourceError) {
      let finding = try DocumentSourceAttribute(of: .path(source, links: links)).read()
      if case .none(let absence) = finding.content {
        console.report(source.bytes, "\(EscapedText(absence.description)); nothing is copied")
        return .noSource
      }
      bytes = finding.stored?.nativeBytes ?? []
    } catch {
      return report(error.path, error.message)
    }
    return targets.reduce(.done) { status, target in
      status.combined(with: store(bytes, in: target))
    }
  }

  private func store(_ bytes: [UInt8], in target: FilePath) -> ExitStatus {
    do throws(DocumentSourceError) {
      let attribute = DocumentSourceAttribute(of: .path(target, links: links))
      let plan = try attribute.plan(storing: bytes)
      if !isDry { try attribute.write(plan) }
      let verb = plan.isUnchanged ? "unchanged" : isDry ? "would copy" : "copied"
      say(target, "\(verb): \(SourceText.summary(plan.source))")
      return .done
    } catch {
      return report(error.path, error.message)
    }
  }

  /// Copies all attributes by the rules of `/etc/xattr.conf`.
  func copyAll(from source: FilePath, to targets: ArraySlice<FilePath>) -> ExitStatus {
    guard let real = resolved(source) else { return .failed }
    return targets.reduce(.done) { status, target in
      guard let realTarget = resolved(target) else { return .failed }
      if isDry {
        say(target, "would copy all attributes")
        return status
      }
      do throws(XattrError) {
        try ExtendedAttributes.copyAll(from: real, to: realTarget)
        say(target, "copied all attributes")
        return status
      } catch {
        let what = error.attribute.map { "attribute \($0)" } ?? "every attribute"
        return report(target, "cannot copy \(what): \(error.reason)")
      }
    }
  }

  /// The path without links, since libattr follows none; `nil` after saying why there is none.
  private func resolved(_ path: FilePath) -> FilePath? {
    let real = unsafe path.withCString { path -> Result<FilePath, Errno> in
      if links == .noFollow {
        var status = stat()
        let result = unsafe lstat(path, &status)
        return unsafe result == 0 ? .success(FilePath(cString: path)) : .failure(.current)
      }
      guard let real = unsafe realpath(path, nil) else { return .failure(.current) }
      defer { unsafe free(real) }
      return unsafe .success(FilePath(cString: real))
    }
    do throws(Errno) {
      return try real.get()
    } catch {
      _ = report(path, "cannot copy attributes: \(error.description.lowercased())")
      return nil
    }
  }

  private func say(_ path: FilePath, _ words: String) {
    if !isQuiet { console.output.writeLine("\(EscapedText(path.bytes)): \(EscapedText(words))") }
  }

  private func report(_ path: FilePath, _ message: String) -> ExitStatus {
    console.report(path.bytes, EscapedText(message).description)
    return .failed
  }
}
