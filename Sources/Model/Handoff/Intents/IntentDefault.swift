internal import Applications
package import CompanionProtocol
package import LinuxSystem
internal import TextFormats

/// What has a default application: a class of intents, a scheme or a MIME type.
package struct IntentDefault {
  /// As the user calls it.
  package let word: String
  /// The keys in the list.
  package let types: [String]
  /// Whether the list is the desktop's.
  package let isOfDesktop: Bool
  package let intent: IntentClass?

  package init(_ intent: IntentClass) {
    word = intent.name
    self.intent = intent
    isOfDesktop = !intent.schemes.isEmpty
    types = isOfDesktop ? intent.schemes.map { "x-scheme-handler/\($0)" } : [intent.name]
  }

  /// - Returns: `nil` for a word that is none.
  package init?(_ word: String) {
    if let intent = IntentClass.named(word) {
      self.init(intent)
    } else if DefaultApplications.isType(word) {
      self.init(word, type: word)
    } else if AbsoluteURL.isScheme(word.utf8) {
      self.init(word, type: "x-scheme-handler/\(word.lowercased())")
    } else {
      return nil
    }
  }

  private init(_ word: String, type: String) {
    (self.word, types, isOfDesktop, intent) = (word, [type], true, nil)
  }

  private func list() throws(UserFile.Failure) -> DefaultApplications {
    let places = BaseDirectories.current()
    return isOfDesktop ? try .ofDesktop(places) : try .own(places)
  }

  /// Whether a scheme has a default, belongs to a class, or has an application that is registered for
  /// it: any other one is most likely a slip.
  package func isKnown(to desktop: any DesktopClient) -> Bool {
    if (try? list().application(for: types[0])) != nil { return true }
    let isOfClass = IntentClass.all.contains { $0.schemes.contains(word.lowercased()) }
    guard intent == nil, !isOfClass, !DefaultApplications.isType(word) else { return true }
    let listing = try? desktop.applications(for: [Array("\(word):x".utf8)], others: false)
    return listing?.applications.isEmpty != true
  }

  /// The default for one of the types, by GIO or by our list.
  ///
  /// - Throws: `DesktopFailure` or `UserFile.Failure`.
  package func application(
    for type: String, _ desktop: any DesktopClient
  ) throws -> DesktopProtocol.Application? {
    guard isOfDesktop else {
      return try list().application(for: type).map { .init(identifier: $0, name: $0) }
    }
    return try desktop.handlers(of: [type]).values.first
  }

  /// The applications that can be the default.
  ///
  /// - Throws: `DesktopFailure` or `IntentResolver.Failure`.
  package func applications(
    among installed: IntentCatalogue, _ desktop: any DesktopClient
  ) throws -> [DesktopProtocol.Application] {
    guard let intent, !isOfDesktop else {
      let targets = (intent?.schemes ?? []).map { Array("\($0):x".utf8) }
      let listing = try desktop.applications(for: targets, others: false)
      return listing.applications.map(\.application).filter { Self.canHold($0.identifier) }
    }
    return try installed.applications.filter {
      try IntentResolver.isAble($0, intent, installed, desktop)
    }.map { .init(identifier: $0.identity, name: $0.name(in: MessageLocale.languageTags)) }
  }

  /// Whether the list can hold an identifier: a semicolon separates two.
  package static func canHold(_ identifier: String) -> Bool {
    !identifier.utf8.contains(UInt8(ascii: ";"))
  }

  /// A scheme of the class that an application is not registered for, and the types for which it is.
  package func missingScheme(
    of identifier: String, _ desktop: any DesktopClient
  ) -> (scheme: String, types: [String])? {
    for scheme in intent?.schemes ?? [] {
      let listing = try? desktop.applications(for: [Array("\(scheme):x".utf8)], others: false)
      guard let listing else { return nil }
      if listing.applications.contains(where: { $0.application.identifier == identifier }) {
        continue
      }
      let entries = DesktopEntries(BaseDirectories.current())
      return (scheme, FileName(identifier).flatMap { entries.entry($0) }?.mediaTypes ?? [])
    }
    return nil
  }

  /// What became of a change.
  package enum Change {
    case done
    case failed(UserFile.Failure)
    /// Set, but another list comes first, with this application.
    case overridden(type: String, by: DesktopProtocol.Application?)
    /// Set, but the desktop does not say whether it counts.
    case unknown(DesktopFailure)
  }

  /// Sets the default; `nil` removes it.
  package func set(to application: String?, _ desktop: any DesktopClient) -> Change {
    do throws(UserFile.Failure) {
      let ending = isOfDesktop ? ".desktop" : ""
      _ = try list().set(types, to: application.map { $0 + ending })
    } catch {
      return .failed(error)
    }
    guard isOfDesktop, let application else { return .done }
    do throws(DesktopFailure) {
      for type in types {
        let found = try desktop.handlers(of: [type]).values.first
        guard found?.identifier == application else { return .overridden(type: type, by: found) }
      }
      return .done
    } catch {
      return .unknown(error)
    }
  }
}

extension IntentCatalogue {
  /// The application that a word means and that carries out commands of a class.
  package func application(meantBy word: String, for intent: IntentClass) -> IntentApplication? {
    applications.filter { one in intent.commands.contains { one.way(of: $0.name) != nil } }
      .meant(by: word, identifier: \.identity) { [$0.name(in: [])] }.first
  }
}

/// Which application carries a command out, as IntentKit decides it.
package struct IntentChoice: Hashable, Sendable {
  /// An application that can carry the command out.
  package struct Candidate: Hashable, Sendable {
    package let identity: String
    /// The one of the system's maker.
    package let isFirstParty: Bool
    /// Of the program itself.
    package let isInApp: Bool

    package init(_ identity: String, isFirstParty: Bool = false, isInApp: Bool = false) {
      self.identity = identity
      self.isFirstParty = isFirstParty
      self.isInApp = isInApp
    }
  }

  package enum Outcome: Hashable, Sendable {
    case perform(String)
    /// The URL for the browser is opened.
    case fallback
    /// The user chooses; `remembers` says whether the choice may become the default.
    case choose([String], remembers: Bool)
    /// Nobody can do it.
    case nothing
  }

  package var usesFallback = true
  package var alwaysAsks = false
  package var usesSystemDefault = false
  package var showsFirstParty = false
  package var hidesInApp = false
  package var forbidsDefault = false

  package init() {}

  /// - Parameters:
  ///   - stored: the user's default; one that is gone is passed over, and stays.
  ///   - system: the default of the class.
  package func outcome(
    _ available: [Candidate], stored: String?, system: String?, hasFallback: Bool
  ) -> Outcome {
    let available = available.filter {
      !($0.isFirstParty && !showsFirstParty) && !($0.isInApp && hidesInApp)
    }
    if available.isEmpty { return usesFallback && hasFallback ? .fallback : .nothing }
    let standard = stored ?? (usesSystemDefault ? system : nil)
    if !alwaysAsks {
      if available.count == 1 { return .perform(available[0].identity) }
      if let standard, available.contains(where: { $0.identity == standard }) {
        return .perform(standard)
      }
    }
    return .choose(
      available.map(\.identity), remembers: standard == nil && !forbidsDefault)
  }
}
