import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats
import Witness

/// `show --verify`: whether a file's document source names the application that was seen writing the file.
struct Verification {
  let verdict: Witness.Verdict
  private let witness: Witness

  /// - Throws: `Errno` if the file cannot be looked up.
  init(_ source: DocumentSource, of file: FileReference) throws(Errno) {
    witness = try Witness(of: file)
    verdict = witness.verdict(naming: source.identifier)
  }

  /// The verdict and its reason, for people, not escaped.
  var words: String {
    let reason =
      switch witness {
      case .none: "nobody was seen writing the file"
      case .damaged(let flaw): "the record of who wrote the file cannot be read: \(flaw)"
      case .valid(let record):
        record.seen + (verdict == .unknown ? "; \(Self.doubt(record))" : "")
      case .void(_, .otherFile): "what was recorded is of another file, which was copied here"
      case .void(let record, let voidness): "\(record.seen); \(OriginText.words(voidness))"
      }
    return "\(verdict.rawValue): \(reason)"
  }

  var fields: JSONFields {
    let (state, record): (String, WitnessRecord?) =
      switch witness {
      case .none: ("none", nil)
      case .damaged: ("damaged", nil)
      case .valid(let record): ("valid", record)
      case .void(let record, let voidness): (Self.word(voidness), record)
      }
    let witness: JSONFields = [
      "state": .text(state), "history": record.map { .objects(Self.history($0)) },
    ]
    return ["verdict": .text(verdict.rawValue), "witness": .object(witness)]
  }

  /// Why a record that holds says neither that a source is right nor that it is wrong.
  private static func doubt(_ record: WitnessRecord) -> String {
    if record.history.contains(where: { $0.application == nil }) {
      return "no application is known to compare"
    }
    guard record.history.first?.action == .created, let last = record.writers.last?.application
    else { return "the file took the place of an earlier one, from which it has its source" }
    var others: [String] = []
    for case let name? in record.history.map(\.application) where name != last {
      if !others.contains(name) { others.append(name) }
    }
    return "before that, it was written by " + others.joined(separator: ", ")
  }

  /// A word for programs.
  static func word(_ voidness: Witness.Voidness) -> String {
    switch voidness {
    case .otherFile: "other-file"
    case .content: "content-changed"
    case .something: "changed"
    case .isWritten: "open"
    }
  }

  static func history(_ record: WitnessRecord) -> [JSONFields] {
    record.history.map { event in
      [
        "application": .text(event.application), "executable": .text(event.executable),
        "knownBy": .text(event.knowledge.rawValue), "action": .text(event.action.rawValue),
        "time": .text(MomentText.exact(Double(event.time / 1_000_000_000))),
      ]
    }
  }
}

extension Witness.Verdict {
  /// As `show --verify` ends.
  var status: ExitStatus {
    switch self {
    case .agrees: .done
    case .unknown: .negative
    case .disagrees: .failed
    }
  }
}

extension WitnessRecord {
  /// Who was seen writing the file last, and when.
  fileprivate var seen: String {
    guard let event = history.last else { return "" }
    let seconds = Double(event.time / 1_000_000_000) - Double(CalendarDate.referenceDate)
    let application = event.application.map { "\($0), " } ?? ""
    return "written by \(application)the program \(event.executable), on "
      + LocalTime.text(of: seconds)
  }
}
