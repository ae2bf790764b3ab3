package import CompanionProtocol
internal import Glibc
package import LinuxSystem
internal import Provenance
package import ShareItem
internal import TextFormats

/// Hands what is shared over.
package struct Handover {
  package let request: ShareRequest
  package let options: ActivityOptions
  private let places: BaseDirectories
  private let services: HandoffServices

  package init(
    _ request: ShareRequest, _ options: ActivityOptions, in places: BaseDirectories,
    _ services: HandoffServices
  ) {
    self.request = request
    self.options = options
    self.places = places
    self.services = services
  }

  /// - Parameter words: the options of a target or an activity of the user's own, as `NAME=VALUE`.
  package func perform(_ offer: ShareOffer, _ words: [String]) -> ShareCompletion {
    do throws(Refusal) {
      _ = try offer.verdict.get()
      let files = try request.filesOfItems(for: offer)
      var completion = try perform(offer.work, words)
      completion.files = files
      if case .failed = completion.outcome { return completion }
      for loss in unused(by: offer) { completion.lose(loss) }
      return completion
    } catch {
      return ShareCompletion(.failed(error))
    }
  }

  private func perform(
    _ work: ShareOffer.Work, _ words: [String]
  ) throws(Refusal) -> ShareCompletion {
    switch work {
    case .application(let identifier): return try launch(identifier)
    case .sendTo(let entry): return try launch(entry.path.description)
    case .target(let target): return try send(to: target, words)
    case .custom(let activity): return try perform(activity, words)
    case .activity(let activity):
      return try ActivityPerformer(
        activity: activity, things: try request.things(for: activity.type),
        title: request.title(for: activity.type), text: request.text(for: activity.type),
        item: request.item, options: options, kept: request.kept, places: places,
        services: services
      ).perform()
    }
  }

  /// What the user has given and the receiver has no place for.
  private func unused(by offer: ShareOffer) -> [String] {
    var takesSubject = false
    var takesText = false
    var name: SystemActivity.Name?
    switch offer.work {
    case .target: (takesSubject, takesText) = (true, true)
    case .custom: takesText = true
    case .application, .sendTo: break
    case .activity(let activity):
      name = activity.name
      takesSubject = name == .mail || name == .readingList && request.things.count == 1
      // Facebook's page says it itself.
      takesText = [.mail, .message, .readingList, .twitter, .facebook, .weibo].contains(name)
    }
    var unused: [String] = []
    if request.isTitleGiven, !takesSubject { unused.append("the subject") }
    if request.isTextGiven, !takesText { unused.append("the text") }
    let copies = options.cc + options.bcc
    let addresses =
      name == .mail ? [] : name == .message ? copies : options.recipients + copies
    unused += addresses.map { "the address \($0)" }
    return unused.map { "\($0), which \(offer.identifier) does not take" }
  }

  private func askedForNumbers(of things: [SharedThing]) throws(Refusal) -> ShareCompletion {
    try services.askedForNumbers(in: things.compactMap(\.urlOfItem), isDry: options.isDry)
  }

  private func launch(_ application: String) throws(Refusal) -> ShareCompletion {
    var completion = try askedForNumbers(of: request.things)
    if case .cancelled = completion.outcome { return completion }
    let targets = request.things.compactMap(\.target)
    do {
      let launch: DesktopProtocol.Options = options.isDry ? .dryRun : []
      if let count = try services.programs(of: application, targets, launch) {
        completion.add(try services.asked(.programs(count), isDry: options.isDry))
        if case .cancelled = completion.outcome { return completion }
      }
      completion.add(
        ShareCompletion(launched: try services.desktop.launch(application, targets, launch)))
      return completion
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(reason: "\(error)")
    }
  }

  private func send(
    to target: ShareTarget, _ words: [String]
  ) throws(Refusal) -> ShareCompletion {
    var item = try request.received(by: target)
    let run = request.run(to: target, options: words)
    var completion = try services.askedForNumbers(
      in: request.urlsOfItem(in: item), isDry: options.isDry)
    if case .cancelled = completion.outcome { return completion }
    if options.isDry {
      item = try run.resolved(item)
      let input: [UInt8]
      do throws(ItemFailure) {
        input = try item.encoded()
      } catch {
        throw Refusal(reason: "\(error)")
      }
      completion.add(
        .wouldRun((target.command + words).map { Array($0.utf8) }, input: input))
      return completion
    }
    switch run.run(item) {
    case .done(let returned):
      completion.item = returned
      for attachment in returned?.attachments ?? [] {
        if let effect = recordSource(of: attachment, from: target) { completion.add(effect) }
      }
    case .cancelled: completion.outcome = .cancelled
    case .refused(let reason): completion.outcome = .refused(reason)
    case .failed(let refusal): throw refusal
    }
    return completion
  }

  /// A file that a target hands back comes from there, unless it says where it comes from.
  private func recordSource(
    of attachment: ShareItem.Attachment, from target: ShareTarget
  ) -> ShareCompletion.Effect? {
    guard case .path(let path) = attachment.content, path.hasPrefix("/"),
      let status = try? FileStatus(FilePath(path), links: .noFollow), status.kind == .file,
      status.owner == geteuid(), let writer = try? ItemWriter(ShareItem())
    else { return nil }
    let step = writer.recordSource(
      identifier: target.identifier, name: target.name, of: .path(FilePath(path)))
    if case .failed(let reason)? = step?.outcome { return .notRecorded(path, reason: reason) }
    return nil
  }

  // MARK: Activities of the user's own

  private func perform(
    _ activity: CustomActivity, _ ownOptions: [String]
  ) throws(Refusal) -> ShareCompletion {
    let own = try request.things(for: activity.type)
    let places = activity.taken(of: own)
    let taken = places.map { own[$0] }
    var completion = try askedForNumbers(of: taken)
    if case .cancelled = completion.outcome { return completion }
    var files: [String] = []
    var urls: [String] = []
    for thing in taken {
      if let path = thing.file {
        guard let text = String(validating: path, as: UTF8.self) else {
          throw Refusal(reason: "the path of the file is not UTF-8")
        }
        files.append(text)
        urls.append("file://" + String(decoding: ActivityPerformer.encoded(path), as: UTF8.self))
      } else if let url = thing.url {
        urls.append(url)
      }
    }
    let words = (activity.words(files: files, urls: urls) + ownOptions).map { Array($0.utf8) }
    let texts =
      taken.filter { $0.target == nil }.compactMap(\.words)
      + [request.text(for: activity.type)].compactMap(\.self)
    let input = Array(texts.map { $0 + "\n" }.joined().utf8)
    // What it does not take, and what its command line has no place for: %u and %f are the first.
    let left = own.indices.filter { place in
      guard let target = own[place].target else { return !places.contains(place) }
      let forms = [target, Array("file://".utf8) + ActivityPerformer.encoded(target)]
      return !words.contains { word in forms.contains { word.suffix($0.count).elementsEqual($0) } }
    }.map { place in
      own[place].target.map { String(decoding: $0, as: UTF8.self) } ?? own[place].words ?? "data"
    }
    if options.isDry { completion.add(.wouldRun(words, input: input)) }
    for name in left { completion.lose(name) }
    guard !options.isDry else { return completion }
    let end = try FilterProcess.run(words, input)
    switch end.ending {
    case .status(0): completion.item = try returned(end.output, activity)
    case .status(1): completion.outcome = .cancelled
    case let ending: throw Refusal(reason: "the activity failed (\(ending.words))")
    }
    return completion
  }

  private func returned(
    _ output: [UInt8], _ activity: CustomActivity
  ) throws(Refusal) -> ShareItem? {
    guard activity.returns != .nothing, !output.isEmpty else { return nil }
    if activity.returns == .item {
      do throws(ItemFailure) {
        return try ShareItem(output)
      } catch {
        throw Refusal(reason: "the activity is done, but has written no share item: \(error)")
      }
    }
    guard let text = String(validating: output, as: UTF8.self) else {
      throw Refusal(reason: "the activity is done, but its answer is not UTF-8")
    }
    var item = ShareItem()
    item.attachments =
      switch activity.returns {
      case .url: try lines(output).filter { AbsoluteURL.hasScheme($0) }.map { .url($0) }
      case .file: try lines(output).map { .file($0, type: nil) }
      case .text, .nothing, .item: [.text(text)]
      }
    return item
  }

  /// More lines than anybody shares at once.
  private static let lineLimit = 20_000

  /// The lines that are not empty.
  private func lines(_ output: [UInt8]) throws(Refusal) -> [String] {
    let lines = output.split(separator: UInt8(ascii: "\n"), maxSplits: Self.lineLimit)
    guard lines.count <= Self.lineLimit else {
      throw Refusal(
        reason: "the activity is done, but its answer has more than \(Self.lineLimit) lines")
    }
    return lines.map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }
}

/// What became of a hand-over: the completion of the original.
package struct ShareCompletion {
  package enum Outcome {
    case done, cancelled
    /// By a share target's check.
    case refused(String)
    case failed(Refusal)
  }

  /// What was done or, in a dry run, would be.
  package enum Effect {
    /// A program would be run, to the byte.
    case wouldRun([[UInt8]], input: [UInt8])
    /// What the desktop did, or would do.
    case launched([DesktopProtocol.Outcome])
    /// The portal would get a mail with these fields.
    case wouldCompose([(name: String, value: [UInt8])])
    case wouldWriteToTerminal([UInt8])
    /// The user would be asked first.
    case wouldAsk(HandoffQuestion)
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
  /// The true paths of the files that items name and that were handed over.
  package fileprivate(set) var files: [[UInt8]] = []
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

  /// What was done next.
  package mutating func add(_ next: ShareCompletion) {
    outcome = next.outcome
    effects += next.effects
    losses += next.losses
    item = next.item ?? item
  }

  package mutating func lose(_ what: String) { losses.append(what) }
}
