import BinaryPropertyList
import CommandLineInterface
import FileTree
import ForeignFormats
import Glibc
import LinuxSystem
import Provenance
import TextFormats
import Xattr

/// Applies to an extracted tree what its archive holds of attributes, read by `docsource-archive`.
struct ArchiveAdoption {
  let adopter: Adopter
  let format: AdoptionFormat
  /// How much of the archive is unpacked.
  let limit: WorkLimit
  private var console: Console { format.console }

  /// - Returns: the gravest status; `negative` where the archive holds no attributes, or some that
  ///   contradict the file.
  func adopt(_ archive: FilePath, below root: FilePath) -> ExitStatus {
    let lookup: TreeLookup
    do throws(TreeFailure) {
      lookup = try TreeLookup(below: root)
    } catch {
      console.fail(root.bytes, "cannot open directory: \(error.reason)")
      return .failed
    }
    guard let (found, readStatus) = read(archive) else { return .failed }
    var status = readStatus
    for flaw in found.flaws {
      console.fail(archive.bytes, "\(OriginText.place(flaw.entry)): cannot read: \(flaw.reason)")
      status = .failed
    }
    if found.files.isEmpty, status == .done {
      let reason = "the archive holds no attributes"
      if console.writesObjects {
        ChangeObject(.unchanged, isDry: format.isDry, ["reason": .text(reason)])
          .write(of: archive.bytes, console)
      }
      console.report(archive.bytes, reason)
      return .negative
    }
    var areMissing = !found.files.isEmpty
    for file in found.files {
      areMissing = areMissing && isMissing(file, below: lookup)
      status = status.combined(with: adopt(file, of: archive, lookup))
    }
    if areMissing {
      console.report(
        root.bytes, "none of the files is there; extract the archive into this directory first")
    }
    return status
  }

  private func isMissing(_ file: ArchivedAttributes.File, below lookup: TreeLookup) -> Bool {
    do throws(TreeLookup.Refusal) {
      _ = try lookup.file(at: file.path)
      return false
    } catch {
      return error == .missing
    }
  }

  private func adopt(
    _ file: ArchivedAttributes.File, of archive: FilePath, _ lookup: TreeLookup
  ) -> ExitStatus {
    let reference: FileReference
    do throws(TreeLookup.Refusal) {
      reference = try lookup.file(at: file.path)
    } catch {
      console.fail(lookup.shown(file.path).bytes, "cannot adopt attributes: \(error.reason)")
      return .failed
    }
    let report: AdoptionReport
    do throws(XattrError) {
      report = try adopter.adopt(file, of: archive, to: reference)
    } catch {
      console.fail(reference.path.bytes, "cannot adopt attributes: \(error.reason)")
      return .failed
    }
    format.write(report, of: reference.path)
    if console.writesObjects {
      format.writeObject(report, AdoptionFormat.Inference(), of: reference.path)
    }
    if report.hasFailed { return .failed }
    return report.isContradicted ? .negative : .done
  }

  /// - Returns: what was found, and `failed` where that may not be all; `nil` after saying why
  ///   there is nothing.
  private func read(_ archive: FilePath) -> (found: ArchivedAttributes, status: ExitStatus)? {
    let descriptor: CInt
    do throws(Errno) {
      descriptor = try Descriptor.open(archive)
    } catch {
      return failed(archive, "\(error)".lowercased())
    }
    defer { close(descriptor) }
    let limits = [limit.bytes, limit.seconds].map { Array(($0.map { "\($0)" } ?? "none").utf8) }
    do throws(ChildProcess.Failure) {
      let ending = try CompanionProgram.archive.start(
        [Array(archive.bytes)] + limits, reading: descriptor
      ).wait()
      // If it failed, the program has reported why.
      console.passOn(ending.errors)
      return found(ending.output, archive).map { ($0, ending.status) }
    } catch {
      // In the middle of its work, of which some is done.
      let excess = error.isOvertime ? limit.seconds.map { WorkLimit.Excess.seconds($0) } : nil
      report(archive, excess.map { "\($0)\($0.remedy)" } ?? error.description)
      return found(error.output, archive).map { ($0, .failed) }
    }
  }

  private func found(_ parts: [UInt8], _ archive: FilePath) -> ArchivedAttributes? {
    let found = Result { () throws(DecodingFailure) in try ArchivedAttributes(parts: parts) }
    switch found {
    case .success(let found?): return found
    case .success(nil): return failed(archive, "docsource-archive has a different version")
    case .failure(let failure): return failed(archive, "\(failure)")
    }
  }

  private func failed<Result>(_ archive: FilePath, _ reason: String) -> Result? {
    report(archive, reason)
    return nil
  }

  private func report(_ archive: FilePath, _ reason: String) {
    console.fail(archive.bytes, "cannot read archive: \(reason)")
  }
}
