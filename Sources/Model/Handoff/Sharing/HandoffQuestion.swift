internal import CompanionProtocol

/// What is asked before it happens, since a file or an item has chosen it, not the user.
package enum HandoffQuestion: Sendable {
  /// A message goes to these telephone numbers.
  case recipients([String])
  /// These telephone numbers are called.
  case callees([String])
  /// So many programs are started at once.
  case programs(Int)

  /// Without a question mark.
  package var text: String {
    switch self {
    case .recipients(let numbers): "Send to \(numbers.joined(separator: ", "))"
    case .callees(let numbers): "Call \(numbers.joined(separator: ", "))"
    case .programs(let count): "Start \(count) programs"
    }
  }

  /// Why it does not happen unasked.
  fileprivate var reason: String {
    switch self {
    case .recipients(let numbers):
      "the item names the recipients, \(numbers.joined(separator: ", "))"
    case .callees(let numbers):
      "the item names whom to call, \(numbers.joined(separator: ", "))"
    case .programs(let count): "\(count) programs would be started"
    }
  }
}

package enum HandoffAnswer: Sendable {
  case yes, no
  /// There is nobody to ask.
  case nobody
}

extension HandoffServices {
  /// Asks the user for those to whom an item's URLs, not the user's, send messages, and whom they call.
  ///
  /// - Returns, Throws: as `asked(_:isDry:)`.
  package func askedForNumbers(
    in urls: [String], isDry: Bool
  ) throws(Refusal) -> ShareCompletion {
    let reached = urls.map { ActivityURL.reached(by: $0) }
    let (recipients, callees) = (reached.flatMap(\.messages), reached.flatMap(\.calls))
    var completion = ShareCompletion()
    if !recipients.isEmpty { completion = try asked(.recipients(recipients), isDry: isDry) }
    if case .done = completion.outcome, !callees.isEmpty {
      completion.add(try asked(.callees(callees), isDry: isDry))
    }
    return completion
  }

  /// More programs are started only if the user says so.
  private static let unasked = 20
  /// More programs are never started at once.
  private static let limit = 100

  /// Asks the user; in a dry run, says what would be asked.
  ///
  /// - Returns: whether it is done or cancelled.
  /// - Throws: `Refusal` if there is nobody to ask.
  func asked(_ question: HandoffQuestion, isDry: Bool) throws(Refusal) -> ShareCompletion {
    if isDry { return ShareCompletion(.wouldAsk(question)) }
    switch ask(question) {
    case .yes: return ShareCompletion()
    case .no: return ShareCompletion(.cancelled)
    case .nobody: throw Refusal(reason: question.reason, remedy: .confirmation)
    }
  }

  /// How many programs open targets, if they are so many that the user is to be asked.
  ///
  /// - Throws: `DesktopFailure`, or `Refusal` for more than are started at once.
  func programs(
    of application: String?, _ targets: [[UInt8]], _ options: DesktopProtocol.Options
  ) throws -> Int? {
    // Each target needs one program at most.
    guard targets.count > Self.unasked else { return nil }
    let plan = try desktop.launch(application, targets, options.union(.dryRun))
    return try many(plan.count { if case .failed = $0 { false } else { true } })
  }

  /// A number of programs if it is so large that the user is to be asked.
  ///
  /// - Throws: `Refusal` for more than are started at once.
  func many(_ count: Int) throws(Refusal) -> Int? {
    guard count <= Self.limit else {
      throw Refusal(
        reason: "\(count) programs would be started; at most \(Self.limit) are started at once")
    }
    return count > Self.unasked ? count : nil
  }
}
