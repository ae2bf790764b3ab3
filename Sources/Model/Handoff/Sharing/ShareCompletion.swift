package import CompanionProtocol
package import LinuxSystem
package import ShareItem

/// What became of a hand-over: the completion of the original.
package struct ShareCompletion {
  package enum Outcome {
    case done, cancelled
    /// By a share target's check.
    case refused(String)
    case failed(Refusal)
  }

  /// What was done or, in a rehearsal, would be.
  package enum Effect {
    /// A program would be run, to the byte.
    case wouldRun([[UInt8]], input: [UInt8])
    /// What the desktop did, or would do.
    case launched([DesktopProtocol.Outcome])
    /// The portal would get a mail with these fields.
    case wouldCompose([(name: String, value: [UInt8])])
    case wouldWriteToTerminal([UInt8])
    /// A file would get this content.
    case wouldWrite(path: [UInt8], content: [UInt8])
    /// Lines that a program has written.
    case answered([ArraySlice<UInt8>])
    /// A copy, and what was left out of its marks.
    case saved(FilePath, losses: [String])
    /// The reading list has more pages.
    case listed(FilePath)
    /// The file of a contact, as it was named, has a picture.
    case assigned(card: [UInt8])
    /// A file that came back does not have its source, and why.
    case notRecorded(String, reason: String)
  }

  package var outcome = Outcome.done
  /// What came back.
  package var item: ShareItem?
  package private(set) var effects: [Effect] = []
  /// What the receiver has no place for.
  package private(set) var losses: [String] = []

  package init(_ outcome: Outcome = .done) { self.outcome = outcome }

  package init(_ effect: Effect) { effects = [effect] }

  /// Of what the desktop did, or would do.
  package init(launched outcomes: [DesktopProtocol.Outcome]) {
    effects = [.launched(outcomes)]
    for one in outcomes {
      switch one {
      case .portal(_, _, .cancelled): outcome = .cancelled
      case .portal(_, _, .failed):
        outcome = .failed(Refusal(reason: "the portal has ended the request"))
      case .failed(_, let reason): outcome = .failed(Refusal(reason: reason))
      case .portal, .started, .called: continue
      }
    }
  }

  package mutating func add(_ effect: Effect) { effects.append(effect) }

  package mutating func lose(_ what: String) { losses.append(what) }
}
