import CommandLineInterface
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats

/// `docsource item send`: hands an item over to a share target.
enum ItemSendCommand: Command {
  private static let to = OptionDeclaration(
    "to", value: "TARGET", help: "hand over to TARGET, an identifier or a .target file")
  private static let list = OptionDeclaration(
    "list", help: "only list the targets that accept the item")
  private static let option = OptionDeclaration(
    "option", value: "NAME=VALUE", repeats: true, help: "set an option of the target; repeatable")
  private static let anyPath = OptionDeclaration(
    "any-path",
    help: "accept paths that lead outside the item's directory or to something private")
  private static let keepPrivate = OptionDeclaration(
    "keep-private", help: "also hand over what identifies you")

  static let answerOfFailure = ChangeObject.ofFailure
  static let readsStandardInput = true

  static let verb = "send"
  static let declaration = CommandDeclaration(
    name: "item send", summary: "hand a share item over to another program", operands: "ITEM",
    kinds: [.file],
    details: """
      The target is a program that a file NAME.target describes. An item that it returns is written
      to standard output, or to the file that --output names.
      """,
    options: [
      to, list, option, anyPath, ItemLimit.option, keepPrivate,
    ] + PrivatePartsOptions.all + [
      Confirmation.option, BulkChange.dryRun, BulkChange.json, OutputFile.option,
    ],
    examples: [
      "docsource item send --list article.xei",
      "docsource item send --to reader --option folder=later article.xei",
    ],
    manual: ManualText(Manual.itemSend))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 1 else { throw UsageError("give one item") }
    let operand = arguments.operands[0]
    let name = try arguments.text(to)
    guard (name != nil) != arguments.has(list) else { throw UsageError("give --to or --list") }
    let given = try options(arguments)
    let target: ShareTarget?
    if let name {
      guard let found = try self.target(name, console) else { return .failed }
      target = found
    } else {
      target = nil
    }
    let limit = try ItemLimit.given(in: arguments)
    guard let input = ItemInput.read(operand, limit: limit, console) else { return .failed }
    let shown = InputFile.named([operand]).first?.name ?? operand[...]
    if case .marks(let marks, _) = input, marks.isEmpty {
      console.report(shown, "no share item")
      return .negative
    }
    let (item, losses) = input.handedOn(
      keeping: arguments.has(keepPrivate) ? .all : PrivatePartsOptions.given(in: arguments))
    guard ItemLimit.allows(item, limit, to: "hand over", shown, console) else { return .failed }
    for loss in losses { console.report(shown, EscapedText("\(loss)").description) }
    guard let target else { return TargetList(console: console).write(for: item) }
    let words: [String]
    do throws(ShareTarget.Failure) {
      words = try target.arguments(given)
    } catch {
      throw UsageError("--option: \(EscapedText("\(error)"))")
    }
    let payload =
      InputFile.named([operand]).first?.path.map { ReplacedFile(path: $0).directory }
      ?? FilePath(".")
    let run = TargetInvocation(
      target: target, options: words, payload: payload, allowsAnyPath: arguments.has(anyPath))
    let details: JSONFields = ["leftOut": losses.isEmpty ? nil : .texts(losses.map { "\($0)" })]
    return send(item, run, shown, details, arguments, console)
  }

  private static func options(
    _ arguments: Arguments
  ) throws(UsageError) -> [(name: String, value: String)] {
    try arguments.pairs(option).map { key, value throws(UsageError) in
      (name: key, value: try Arguments.text(value, of: option))
    }
  }

  /// - Returns: `nil` after reporting what is wrong with the description.
  private static func target(
    _ name: String, _ console: Console
  ) throws(UsageError) -> ShareTarget? {
    let targets = ShareTargets(in: BaseDirectories.current())
    let entry =
      name.utf8.contains(UInt8(ascii: "/"))
      ? ShareTargets.read(FilePath(name)) : targets.target(name)
    switch entry {
    case .success(let target)?:
      report(warningsOf: target, console)
      return target
    case .failure(let flaw)?:
      console.report(flaw.path.bytes, "\(EscapedText(flaw.reason))")
      return nil
    case nil:
      let known = targets.all().compactMap { try? $0.get().identifier }
      let hint = Spelling.nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw UsageError("--to: no target '\(EscapedText(name))'\(hint)")
    }
  }

  fileprivate static func report(warningsOf target: ShareTarget, _ console: Console) {
    for warning in target.warnings {
      console.report(target.path.bytes, "warning: \(EscapedText(warning))")
    }
  }

  private static func send(
    _ item: ShareItem, _ run: TargetInvocation, _ name: ArraySlice<UInt8>, _ details: JSONFields,
    _ arguments: Arguments, _ console: Console
  ) -> ExitStatus {
    switch TargetChoice(run.target, reading: PropertyListForm.list).verdict(on: item) {
    case .taken: break
    case .refused(let reason), .unknown(let reason):
      return fail(reason, name, run.target, console)
    }
    var received: ShareItem
    switch item.handover(to: run.target.activity) {
    case .item(let own)?: received = own
    case .document(let document)?:
      received = ShareItem()
      received.attachments = [document]
    case .nothing?: return fail(TargetChoice.nothing, name, run.target, console)
    case nil: return fail("no attachment", name, run.target, console)
    }
    for field in TargetInvocation.fieldsLeftOut(of: received) {
      console.report(name, "\(EscapedText(quoting: field)) in the URL is left out")
    }
    let isDry = arguments.has(BulkChange.dryRun)
    let paths: [[UInt8]]
    let asked: ShareCompletion
    do throws(Refusal) {
      paths = try run.paths(of: received)
      asked = try HandoffServices.ofProgram(asking: Confirmation.asking(arguments, console))
        .askedForNumbers(
          in: received.attachments.compactMap(TargetInvocation.urlText), isDry: isDry)
      if isDry { received = try run.resolved(received) }
    } catch {
      return fail(error.message, name, run.target, console)
    }
    let questions = CompletionText(asked, isDry: isDry, leftOut: [])
    if case .cancelled = asked.outcome { return cancel(name, run.target, details, console) }
    for line in questions.lines { console.report(name, line) }
    for line in CompletionText.listing(
      paths, after: "\(isDry ? "would hand" : "hands") over: ")
    {
      console.report(name, line)
    }
    let details =
      details + questions.fields + ["files": paths.isEmpty ? nil : .words(paths)]
    if isDry {
      if console.writesObjects {
        console.write(
          fields("done", name, run.target) + details
            + ["dryRun": true, "item": .object(ItemFormat.fields(received))])
      } else {
        console.output.writeLine(
          "\(EscapedText(name)): would hand over to \(EscapedText(run.target.identifier)):")
        ItemFormat.write(received, console)
      }
      return .done
    }
    console.output.flush()
    switch run.run(received) {
    case .done(let returned):
      return finish(returned, name, run.target, details, arguments, console)
    case .cancelled: return cancel(name, run.target, details, console)
    case .refused(let reason): return fail(reason, name, run.target, console, "refused")
    case .failed(let refusal): return fail(refusal.message, name, run.target, console)
    }
  }

  private static func cancel(
    _ name: ArraySlice<UInt8>, _ target: ShareTarget, _ details: JSONFields, _ console: Console
  ) -> ExitStatus {
    if console.writesObjects { console.write(fields("cancelled", name, target) + details) }
    console.report(name, "cancelled")
    return .negative
  }

  private static func finish(
    _ returned: ShareItem?, _ name: ArraySlice<UInt8>, _ target: ShareTarget,
    _ details: JSONFields,
    _ arguments: Arguments, _ console: Console
  ) -> ExitStatus {
    var status = ExitStatus.done
    if let returned, arguments.has(OutputFile.option) || !console.writesObjects {
      do throws(ItemFailure) {
        let bytes = try returned.encoded()
        if arguments.has(OutputFile.option) || !console.output.isTerminal {
          status = OutputFile.write(bytes, to: arguments.bytes(OutputFile.option), console)
        } else {
          ItemFormat.write(returned, console)
        }
      } catch {
        return fail("the returned item cannot be written: \(error)", name, target, console)
      }
    }
    if console.writesObjects {
      let item = returned.map { JSONFields.Field.object(ItemFormat.fields($0)) }
      console.write(fields("done", name, target) + details + ["item": item ?? .null])
    }
    return status
  }

  private static func fields(
    _ outcome: String, _ name: ArraySlice<UInt8>, _ target: ShareTarget
  ) -> JSONFields {
    ["file": .path(name), "target": .text(target.identifier), "outcome": .text(outcome)]
  }

  private static func fail(
    _ reason: String, _ name: ArraySlice<UInt8>, _ target: ShareTarget, _ console: Console,
    _ outcome: String = "failed"
  ) -> ExitStatus {
    if console.writesObjects {
      console.write(fields(outcome, name, target) + ["error": .text(reason)])
    }
    console.report(name, "cannot hand over: \(EscapedText(reason))")
    return .failed
  }
}

/// The targets, and which of them take an item.
private struct TargetList {
  let console: Console

  func write(for item: ShareItem) -> ExitStatus {
    var status = ExitStatus.done
    var isTaken = false
    for entry in ShareTargets(in: BaseDirectories.current()).all() {
      switch entry {
      case .failure(let flaw):
        console.report(flaw.path.bytes, "\(EscapedText(flaw.reason))")
        status = .failed
      case .success(let target):
        ItemSendCommand.report(warningsOf: target, console)
        let verdict = TargetChoice(target, reading: PropertyListForm.list).verdict(on: item)
        if case .unknown(let reason) = verdict {
          console.report(target.path.bytes, "\(EscapedText(reason))")
          status = .failed
        }
        if case .taken = verdict { isTaken = true }
        write(target, verdict)
      }
    }
    return isTaken ? status : status.combined(with: .negative)
  }

  private func write(_ target: ShareTarget, _ verdict: TargetChoice.Verdict) {
    if console.writesObjects {
      var reason: String?
      if case .refused(let words) = verdict { reason = words }
      if case .unknown(let words) = verdict { reason = words }
      console.write([
        "target": .text(target.identifier), "name": .text(target.name),
        "takes": .flag(reason == nil), "reason": .text(reason),
      ])
    } else if case .taken = verdict {
      console.output.writeLine(
        "\(EscapedText(target.identifier))\t\(EscapedText(target.name))")
    }
  }
}
