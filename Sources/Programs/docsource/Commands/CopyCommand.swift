import CommandLineInterface
import DocumentSource
import Glibc
import LinuxSystem
import TextFormats
import Xattr

/// `docsource copy`: gives files the attribute of another.
enum CopyCommand: Command {
  private static let allAttributes = OptionDeclaration(
    "all-attributes", short: "a", help: "copy every attribute that /etc/xattr.conf allows")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "copy"
  static let declaration = CommandDeclaration(
    name: verb, summary: "copy the document source of a file to other existing files",
    operands: "FROM TO...",
    details: """
      Copies only the document source, to files that exist: 'cp -a' copies a file with its attributes. The
      value is copied byte for byte, including unknown keys; content, times and mode of the targets do not
      change. If a target also has Samba's form, that form is updated as well.

      If FROM has no document source, the targets are not changed and the status is 1.
      --all-attributes copies every attribute except those that hold permissions.
      """,
    options: [
      allAttributes, Operands.noDereference, BulkChange.dryRun, BulkChange.quiet, BulkChange.json,
      FileList.option,
    ],
    examples: [
      "docsource copy draft.txt final.txt",
      "docsource copy --all-attributes photo.jpg edited/*.jpg",
    ],
    manual: ManualText(Manual.copy))

  static let operandsBeforeFiles = 1

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let paths = arguments.operands.compactMap { FilePath(bytes: $0) }
    guard paths.count > 1, let from = paths.first else {
      throw UsageError(paths.isEmpty ? "no file given" : "no target given")
    }
    let links = arguments.has(Operands.noDereference) ? Links.noFollow : .follow
    let copying = SourceCopying(
      links: links, isDry: arguments.has(BulkChange.dryRun),
      isQuiet: arguments.has(BulkChange.quiet), console: console)
    return arguments.has(allAttributes)
      ? copying.copyAll(from: from, to: paths.dropFirst())
      : copying.copySource(from: from, to: paths.dropFirst())
  }
}

private struct SourceCopying {
  let links: Links
  let isDry: Bool
  let isQuiet: Bool
  let console: Console

  func copySource(from source: FilePath, to targets: ArraySlice<FilePath>) -> ExitStatus {
    let bytes: [UInt8]
    do throws(DocumentSourceError) {
      let finding = try DocumentSourceAttribute(
        of: .path(source, links: links)
      ).read()
      if case .none(let absence) = finding.content { return lacking(absence, at: source) }
      bytes = finding.stored?.nativeBytes ?? []
    } catch {
      if error.isOfUnsupportedPlace { return lacking(.noAttribute, at: source) }
      console.fail(error)
      return .failed
    }
    return targets.reduce(.done) { status, target in
      status.combined(with: store(bytes, in: target))
    }
  }

  private func lacking(_ absence: Absence, at source: FilePath) -> ExitStatus {
    let reason = "\(absence.description); nothing was copied"
    if console.writesObjects {
      ChangeObject(.unchanged, isDry: isDry, ["source": .null, "reason": .text(reason)])
        .write(of: source.bytes, console)
    }
    console.report(source.bytes, "\(EscapedText(reason))")
    return .negative
  }

  private func store(_ bytes: [UInt8], in target: FilePath) -> ExitStatus {
    do throws(DocumentSourceError) {
      let attribute = DocumentSourceAttribute(of: .path(target, links: links))
      let plan = try attribute.plan(storing: bytes)
      if isDry { try attribute.preflight(plan) } else { try attribute.write(plan) }
      let verb = plan.isUnchanged ? "unchanged" : isDry ? "would copy" : "copied"
      let object = ChangeObject(
        plan.isUnchanged ? .unchanged : .changed, isDry: isDry,
        ShowFormat.fields(plan.source, nil))
      say(target, "\(verb): \(SourceText.summary(plan.source))", object)
      return .done
    } catch {
      guard case .attribute(let refusal) = error.cause, refusal.errno == .noSuchFile else {
        console.fail(error)
        return .failed
      }
      return report(target, error.message + Self.purpose)
    }
  }

  /// What a user of cp(1) may have expected, to follow a message about a missing target.
  private static let purpose = "; only the mark is copied: 'cp -a' copies a file with its mark"

  /// Copies all attributes by the rules of `/etc/xattr.conf`.
  func copyAll(from source: FilePath, to targets: ArraySlice<FilePath>) -> ExitStatus {
    guard let real = resolved(source) else { return .failed }
    return targets.reduce(.done) { status, target in
      guard let realTarget = resolved(target, isTarget: true) else { return .failed }
      do throws(XattrError) {
        if isDry {
          try AttributePreflight.copyAll(from: real, to: realTarget)
        } else {
          try ExtendedAttributes.copyAll(from: real, to: realTarget)
        }
        say(
          target, "\(isDry ? "would copy" : "copied") all attributes",
          ChangeObject(.changed, isDry: isDry))
        return status
      } catch {
        let what = error.attribute.map { "attribute \($0)" } ?? "every attribute"
        return report(target, "cannot copy \(what): \(error.reason)")
      }
    }
  }

  /// The path without links, since libattr follows none; `nil` after saying why there is none.
  private func resolved(_ path: FilePath, isTarget: Bool = false) -> FilePath? {
    do throws(Errno) {
      return try unsafe path.withCString { text throws(Errno) in
        if links == .noFollow {
          var status = stat()
          guard unsafe lstat(text, &status) == 0 else { throw .current }
          return path
        }
        guard let real = unsafe realpath(text, nil) else { throw .current }
        defer { unsafe free(real) }
        return unsafe FilePath(cString: real)
      }
    } catch {
      let hint = isTarget && error == .noSuchFile ? Self.purpose : ""
      _ = report(path, "cannot copy attributes: \(error.description.lowercased())\(hint)")
      return nil
    }
  }

  private func say(_ path: FilePath, _ words: String, _ object: ChangeObject) {
    if isQuiet { return }
    if console.writesObjects {
      object.write(of: path.bytes, console)
    } else {
      console.output.writeLine("\(EscapedText(path.bytes)): \(EscapedText(words))")
    }
  }

  private func report(_ path: FilePath, _ message: String) -> ExitStatus {
    console.fail(path.bytes, message)
    return .failed
  }
}
