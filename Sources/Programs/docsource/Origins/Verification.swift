import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats
import Witness

/// `show --verify`: whether a file's document source names the application that was seen writing the file.
struct Verification {
  enum Verdict: String {
    case agrees, unknown, disagrees

    var status: ExitStatus {
      switch self {
      case .agrees: .done
      case .unknown: .negative
      case .disagrees: .failed
      }
    }
  }

  let verdict: Verdict
  private let witness: Witness

  /// - Throws: `Errno` if the file cannot be looked up.
  init(_ source: DocumentSource, of file: FileReference) throws(Errno) {
    witness = try Witness(of: file)
    guard case .valid(let record) = witness, let named = source.identifier,
      let seen = record.history.last?.application
    else {
      verdict = .unknown
      return
    }
    verdict = seen == named ? .agrees : .disagrees
  }

  /// The verdict and its reason, for people, not escaped.
  var words: String {
    let reason =
      switch witness {
      case .none: "nobody was seen writing the file"
      case .damaged(let flaw): "the record of who wrote the file cannot be read: \(flaw)"
      case .valid(let record):
        record.seen + (verdict == .unknown ? "; no application is known to compare" : "")
      case .void(_, .otherFile): "what was recorded is of another file, which was copied here"
      case .void(let record, .content): record.seen + "; changed since by something not seen"
      case .void(let record, .something):
        record.seen + "; changed since by something not seen, perhaps only its name or attributes"
      case .void(let record, .isWritten): record.seen + "; a program has it open for writing now"
      }
    return "\(verdict.rawValue): \(reason)"
  }

  var fields: JSONFields {
    var fields: JSONFields = ["verdict": .text(verdict.rawValue)]
    let (state, record): (String, WitnessRecord?) =
      switch witness {
      case .none: ("none", nil)
      case .damaged: ("damaged", nil)
      case .valid(let record): ("valid", record)
      case .void(let record, .otherFile): ("other-file", record)
      case .void(let record, .content): ("content-changed", record)
      case .void(let record, .something): ("changed", record)
      case .void(let record, .isWritten): ("open", record)
      }
    let events = record?.history.map { event -> JSONFields in
      [
        "application": .text(event.application), "executable": .text(event.executable),
        "knownBy": .text(event.knowledge.rawValue), "action": .text(event.action.rawValue),
        "time": .text(try? CalendarDate.text(sinceEpoch: Double(event.time / 1_000_000_000))),
      ]
    }
    let witness: JSONFields = ["state": .text(state), "history": events.map { .objects($0) }]
    fields += ["witness": .object(witness)]
    return fields
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
