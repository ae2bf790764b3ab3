import CommandLineInterface
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats

/// `docsource item`: what an app hands over to another one.
enum ItemCommand: Command {
  static let verb = "item"
  static var members: [any Command.Type] {
    [
      ItemShowCommand.self, ItemMakeCommand.self, ItemApplyCommand.self, ItemExtractCommand.self,
      ItemSendCommand.self, ItemContainerCommand.self,
    ]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "make, show and send share items, as apps of iOS hand them over",
    operands: "",
    members: members.map { $0.declaration },
    examples: [
      "docsource item show article.xei", "docsource item apply article.xei article.html",
    ],
    manual: ManualText(
      Manual.item,
      [
        "thumbnail-kilobytes": "\(ShareItem.Thumbnail.sizeLimit >> 10)",
        "depth-limit": "\(ShareItem.depthLimit)",
      ]))
}

/// `docsource item show`: prints items, and what files say of their content.
enum ItemShowCommand: Command {
  private static let activity = OptionDeclaration(
    "for", value: "ACTIVITY", help: "show what ACTIVITY would receive")

  static let answerOfFailure: JSONFields? = ["item": .null]
  static let readsStandardInput = true

  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: "item show", summary: "show share items, and what files keep of them",
    operands: "[FILE...]",
    details: """
      FILE is a share item (.xei, or a binary, XML or JSON property list), or any other file, whose
      attributes are shown. Without FILE, or if FILE is -, an item is read from standard input.
      """,
    options: [
      activity, ItemLimit.option, Operands.noDereference, BulkChange.json, FileList.option,
    ],
    examples: [
      "docsource item show article.xei",
      "docsource item show --for com.apple.UIKit.activity.Mail article.xei",
    ],
    manual: ManualText(Manual.itemShow))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let receiver = try ItemActivity.given(by: activity, in: arguments, console)
    let operands = arguments.operands.isEmpty ? [Array("-".utf8)] : arguments.operands
    let links = arguments.has(Operands.noDereference) ? Links.noFollow : .follow
    let limit = try ItemLimit.given(in: arguments)
    return operands.reduce(.done) { status, operand in
      guard let input = ItemInput.read(operand, links: links, limit: limit, console) else {
        return .failed
      }
      return status.combined(with: show(input, operand, receiver, console))
    }
  }

  private static func show(
    _ input: ItemInput, _ operand: [UInt8], _ receiver: ActivityType?, _ console: Console
  ) -> ExitStatus {
    let name = InputFile.named([operand]).first?.name ?? operand[...]
    if case .marks(let marks, _) = input, marks.isEmpty {
      return lack("no share item", name, console)
    }
    guard let receiver else {
      if console.writesObjects {
        console.write(["file": .path(name)] + fields(input))
      } else {
        console.output.writeLine("\(EscapedText(name)):")
        switch input {
        case .item(let item): ItemFormat.write(item, console)
        case .marks(let marks, _): ItemFormat.write(marks, console)
        }
      }
      return isDamaged(input) ? .failed : .done
    }
    switch input.whole.handover(to: receiver) {
    case .nothing?: return lack(TargetChoice.nothing, name, console)
    case nil: return lack("no attachment, which is all that this activity receives", name, console)
    case let handover?:
      write(handover, receiver, name, console)
      return .done
    }
  }

  private static func isDamaged(_ input: ItemInput) -> Bool {
    if case .marks(let marks, _) = input { marks.mark != nil && marks.item == nil } else { false }
  }

  private static func lack(
    _ reason: String, _ name: ArraySlice<UInt8>, _ console: Console
  ) -> ExitStatus {
    if console.writesObjects {
      console.write(["file": .path(name), "item": .null, "reason": .text(reason)])
    }
    console.report(name, reason)
    return .negative
  }

  private static func fields(_ input: ItemInput) -> JSONFields {
    switch input {
    case .item(let item):
      return ["item": .object(ItemFormat.fields(item)), "flaws": ItemFormat.flaws(item.flaws)]
    case .marks(let marks, _):
      let isDamaged = marks.item == nil
      return [
        "item": marks.item.map { .object(ItemFormat.fields($0)) } ?? .null,
        "flaws": marks.item.flatMap { ItemFormat.flaws($0.flaws) },
        "error": isDamaged ? .text(marks.mark.map(OriginText.value)) : nil,
        "carrier": .path(marks.mark?.carrier.name[...]), "notes": ItemFormat.notes(marks),
      ]
    }
  }

  private static func write(
    _ handover: ItemSource.Handover, _ receiver: ActivityType, _ name: ArraySlice<UInt8>,
    _ console: Console
  ) {
    if console.writesObjects {
      let received: JSONFields =
        switch handover {
        case .document(let document): ["document": .object(ItemFormat.object(document))]
        case .item(let item): ["item": .object(ItemFormat.fields(item))]
        case .nothing: [:]
        }
      return console.write(
        ["file": .path(name), "activity": .text(receiver.rawValue)] + received)
    }
    console.output.writeLine("\(EscapedText(name)) for \(EscapedText(receiver.rawValue)):")
    switch handover {
    case .document(let document): console.writeRow("Attachment", ItemFormat.words(document))
    case .item(let item): ItemFormat.write(item, console)
    case .nothing: break
    }
  }
}
