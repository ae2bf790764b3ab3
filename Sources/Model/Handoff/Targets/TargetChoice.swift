package import ActivationRule
package import BinaryPropertyList
internal import LinuxSystem
package import ShareItem
internal import UniformType

/// Whether a share target takes an item: by the kinds that it accepts, and by its rule.
package struct TargetChoice {
  package enum Verdict {
    case taken
    case refused(String)
    /// The rule cannot be evaluated.
    case unknown(String)
  }

  /// More bytes than any Info.plist has.
  private static let ruleLimit = 1 << 20

  /// Which documents are the main ones, that targets are offered for.
  package enum MainDocuments {
    /// The first of an item.
    case first
    /// All that the user names, each for itself.
    case all
  }

  private let target: ShareTarget
  private let mainDocuments: MainDocuments

  /// Reads a property list of any form; `nil` if it cannot be read.
  package typealias ListReader = @Sendable ([UInt8]) -> PropertyList?

  private let list: ListReader

  /// - Parameter list: reads a rule's file.
  package init(
    _ target: ShareTarget, mainDocuments: MainDocuments = .first, reading list: @escaping ListReader
  ) {
    self.target = target
    self.mainDocuments = mainDocuments
    self.list = list
  }

  package func verdict(on item: ShareItem) -> Verdict {
    var own: ShareItem
    switch item.handover(to: target.activity) {
    case .item(let received)?: own = received
    case .document?: return .taken
    case .nothing?: return .refused(Self.nothing)
    case nil: return .refused("the item has no attachment")
    }
    let attachments = own.attachments
    if target.match == .main, mainDocuments == .first, attachments.count > 1 {
      own.attachments = [attachments[0]]
    }
    guard !attachments.isEmpty || target.kinds.isEmpty else {
      return .refused("the item has no attachment")
    }
    guard target.accepts(own.attachments, conforms: { TypeTree.builtIn.conforms($0, to: $1) })
    else {
      let kinds = target.kinds.map(\.rawValue).joined(separator: ", ")
      return .refused("the target accepts only \(kinds)")
    }
    guard let rule = target.rule else { return .taken }
    do throws(Unreadable) {
      return Self.matches(try value(of: rule), own)
    } catch {
      return .unknown(error.reason)
    }
  }

  /// Why an activity is not offered that an item has nothing for.
  package static let nothing = "the item has nothing for this activity"

  /// Whether an activation rule matches an item.
  package static func matches(_ rule: PropertyList, _ item: ShareItem) -> Verdict {
    do {
      let content = try PreparedContent(SharedContent(items: [SharedContent.Item(item)]))
      let isTaken = try PreparedRule(ActivationRule(rule)).matches(content)
      return isTaken ? .taken : .refused("the rule of the target does not match the item")
    } catch {
      return .unknown("the rule of the target cannot be evaluated: \(error)")
    }
  }

  private struct Unreadable: Error {
    let reason: String
  }

  private func value(of rule: ShareTarget.Rule) throws(Unreadable) -> PropertyList {
    switch rule {
    case .predicate(let text): return .string(text)
    case .file(let path):
      let name = "the rule file \(path)"
      guard let bytes = InstalledFile(path: path).content(limit: Self.ruleLimit) else {
        throw Unreadable(reason: "\(name) cannot be read")
      }
      guard let list = self.list(bytes) else {
        throw Unreadable(reason: "\(name) is no property list")
      }
      guard let found = FoundRule(in: list) else {
        throw Unreadable(reason: "\(name) has no activation rule")
      }
      return found.value
    }
  }
}

extension SharedContent.Item {
  /// A share item as rules address it.
  package init(_ item: ShareItem) {
    self.init(
      title: item.title, text: item.contentText, userInfo: item.userInfo,
      attachments: item.attachments.map { SharedContent.Attachment($0.typeIdentifiers) })
  }
}
