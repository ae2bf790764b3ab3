import CommandLineInterface
import DocumentSource
import LinuxSystem
import Provenance
import TextFormats
import Xattr

/// Gives a file without a document source the one that its other marks tell.
struct SourceInference {
  let isDry: Bool
  let isQuiet: Bool
  let console: Console

  /// - Returns: whether there was something to write; `nil` after saying why it cannot be.
  func fill(_ file: FileReference) -> Bool? {
    do {
      let report = try ProvenanceReader().report(on: file)
      guard let source = report.inferredSource else { return false }
      let attribute = DocumentSourceAttribute(of: file)
      let plan = try attribute.plan(SourceChange(to: source))
      if !isDry { try attribute.write(plan) }
      if !isQuiet {
        let summary = EscapedText(SourceText.summary(source))
        let verb = isDry ? "would infer" : "inferred"
        console.output.writeLine("\(EscapedText(file.path.bytes)): \(verb): \(summary)")
      }
      return true
    } catch let error as DocumentSourceError {
      return failed(file, error.message + error.remedy.words)
    } catch let error as XattrError {
      return failed(file, "cannot read marks of origin: \(error.reason)")
    } catch {
      return failed(file, "\(error)")
    }
  }

  private func failed(_ file: FileReference, _ message: String) -> Bool? {
    console.report(file.path.bytes, EscapedText(message).description)
    return nil
  }
}
