internal import Glibc
package import LinuxSystem
package import ShareItem
internal import TextFormats
internal import UniformType

/// One hand-over of an item to a share target.
///
/// The target reads the item from standard input as a binary property list and may write one to
/// standard output. Status 0 is done, 1 cancelled by the user, and everything else a failure, whose
/// reason the target writes to standard error. Status 1 of the target's check means that it refuses the
/// item.
package struct TargetInvocation {
  /// How it ended.
  package enum Outcome {
    case done(ShareItem?)
    case cancelled
    /// The target's check does not pass the item.
    case refused(String)
    case failed(Refusal)
  }

  package let target: ShareTarget
  /// As `NAME=VALUE`.
  package let options: [String]
  /// Where the paths of the item's attachments begin.
  package let payload: FilePath
  /// Whether paths may lead out of that directory.
  package let allowsAnyPath: Bool

  package init(
    target: ShareTarget, options: [String], payload: FilePath, allowsAnyPath: Bool
  ) {
    self.target = target
    self.options = options
    self.payload = payload
    self.allowsAnyPath = allowsAnyPath
  }

  private var files: ItemFiles {
    ItemFiles(payload: payload, allowsAnyPath: allowsAnyPath, form: target.attachmentForm)
  }

  /// The item as the target gets it.
  ///
  /// - Throws: `Refusal` for a path that leads nowhere, or out of the directory.
  package func resolved(_ item: ShareItem) throws(Refusal) -> ShareItem {
    var open: [ItemFiles.OpenFile] = []
    return try prepared(item, files, &open)
  }

  /// The true paths of the files that the target gets, documents and then thumbnails.
  ///
  /// - Throws: as `resolved`.
  package func paths(of item: ShareItem) throws(Refusal) -> [[UInt8]] {
    var open: [ItemFiles.OpenFile] = []
    let files = ItemFiles(payload: payload, allowsAnyPath: allowsAnyPath)
    let item = try prepared(item, files, &open)
    return (item.attachments + item.thumbnails.map(\.attachment)).compactMap {
      if case .path(let path) = $0.content { Array(path.utf8) } else { nil }
    }
  }

  /// The fields that URLs of mail, messages, calls and places have, and that the target does not get.
  package static func fieldsLeftOut(of item: ShareItem) -> [String] {
    (try? rebuilt(item.attachments).leftOut) ?? []
  }

  private static func rebuilt(
    _ attachments: [ShareItem.Attachment]
  ) throws(Refusal) -> (attachments: [ShareItem.Attachment], leftOut: [String]) {
    var attachments = attachments
    var leftOut: [String] = []
    for (place, attachment) in attachments.enumerated() {
      guard let text = urlText(attachment) else { continue }
      let scheme = ActivityURL.scheme(of: text)
      // Whether a file is handed over is decided with the paths.
      guard attachment.isFileURL || !IntentTemplate.refusedSchemes.contains(scheme) else {
        throw Refusal(
          reason: "attachment \(place + 1): URLs of \(EscapedText(quoting: scheme)) are not handed"
            + " over")
      }
      do throws(ActivityURL.Failure) {
        let rebuilt = try ActivityURL.opened(text)
        attachments[place].content = .text(rebuilt.url)
        leftOut += rebuilt.leftOut
      } catch {
        throw Refusal(reason: "attachment \(place + 1): \(error)")
      }
    }
    return (attachments, leftOut)
  }

  /// What a target takes for a URL, whatever the order and case of the types, as text or data; `nil` if
  /// it is none.
  package static func urlText(_ attachment: ShareItem.Attachment) -> String? {
    let isURL = attachment.typeIdentifiers.contains { type in
      let type = type.lowercased()
      return type == "public.url" || TypeTree.builtIn.conforms(type, to: "public.url")
    }
    return isURL ? attachment.urlBytes.flatMap { String(validating: $0, as: UTF8.self) } : nil
  }

  private func prepared(
    _ item: ShareItem, _ files: ItemFiles, _ open: inout [ItemFiles.OpenFile]
  ) throws(Refusal) -> ShareItem {
    var item = item
    // Also none, so that malformed ones, whose paths nobody has looked at, are left out.
    item.attachments = try files.places(of: Self.rebuilt(item.attachments).attachments, &open)
    var thumbnails = item.thumbnails
    if let size = target.thumbnailSize {
      thumbnails = ShareItem.Thumbnail.best(of: thumbnails, for: size).map { [$0] } ?? []
    }
    item.thumbnails = try files.places(of: thumbnails, &open)
    return item
  }

  /// Runs the target, after its check where it has one.
  package func run(_ item: ShareItem) -> Outcome {
    do throws(Refusal) {
      var open: [ItemFiles.OpenFile] = []
      let item = try prepared(item, files, &open)
      defer { extendLifetime(open) }
      let bytes: [UInt8]
      do throws(ItemFailure) {
        bytes = try item.encoded()
      } catch {
        throw Refusal(reason: "\(error)")
      }
      if let validation = target.validation {
        let ending: RunningProgram.Ending
        do throws(Refusal) {
          ending = try start(validation, bytes).ending
        } catch {
          throw Refusal(reason: "the check Validate of the target failed: \(error.reason)")
        }
        switch ending {
        case .status(0): break
        case .status(1):
          return .refused(
            "the target refuses the item (its check Validate ended with status 1)")
        default:
          return .failed(
            Refusal(reason: "the check Validate of the target failed (\(ending.words))"))
        }
      }
      let end = try start(target.command, bytes)
      switch end.ending {
      case .status(0): return try .done(returned(end.output))
      case .status(1): return .cancelled
      case let ending:
        return .failed(Refusal(reason: "the target failed (\(ending.words))"))
      }
    } catch {
      return .failed(error)
    }
  }

  private func returned(_ output: [UInt8]) throws(Refusal) -> ShareItem? {
    guard !output.isEmpty else { return nil }
    do throws(ItemFailure) {
      return try ShareItem(output)
    } catch {
      throw Refusal(reason: "the target is done, but has written no share item: \(error)")
    }
  }

  private func start(_ words: [String], _ input: [UInt8]) throws(Refusal) -> FilterProcess.End {
    try FilterProcess.run((words + options).map { Array($0.utf8) }, input)
  }
}
