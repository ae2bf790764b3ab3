internal import TextFormats

/// A class of intents, which IntentKit calls a handler: the commands that applications of one kind
/// carry out, and their arguments.
package struct IntentClass: Hashable, Sendable {
  package struct Command: Hashable, Sendable {
    package let name: String
    package let arguments: [String]

    /// The name for messages, before a colon of theirs.
    package var lead: String { Self.lead(name) }

    /// A name without its last colon, which may be left out.
    package static func lead(_ name: String) -> String {
      name.utf8.last == UInt8(ascii: ":") ? String(name.dropLast()) : name
    }
  }

  /// `mail`.
  package let name: String
  /// IntentKit's name, `INKMailHandler`; our own where IntentKit does not have the class.
  package let handler: String
  /// The name for people.
  package let title: String
  /// The schemes that stand for the class in the desktop's list of default applications; none where
  /// docsource keeps the default itself.
  package let schemes: [String]
  package let commands: [Command]
  /// Arguments that every command may have.
  package let optional: [String]
  /// Arguments that are empty where they are not given.
  package let empty: [String]
  /// Why its commands lead nowhere any more.
  package let end: String?

  /// All classes. Each begins with a line of its name, handler, schemes and title; then come a line of
  /// optional arguments, one of those that are empty by default, and one for each command.
  package static let all = parse(
    """
    browser INKBrowserHandler http,https Web Browser
    > openHttpURL: url
    > openHttpsURL: url
    > openURL:withCallback: url callback source
    mail INKMailHandler mailto Mail Client
    ? subject messageBody isHtml
    > sendMailTo: recipient
    maps INKMapsHandler geo Mapping App
    ? center zoom
    > searchForLocation: query
    > directionsFrom:to:mode: from to mode
    call call tel Phone
    > call: number
    message message sms Messages
    ? body
    > sendMessageTo: recipient
    document document - Source Application
    > openDocument: path
    twitter INKTwitterHandler - Twitter Client
    ? callbackURL activeUser
    = activeUser
    > showTweetWithId: tweetId
    > showUserWithScreenName: screenName
    > showUserWithId: userId
    > showTimeline
    > showMentions
    > showDirectMessages
    > sendDirectMessageToScreenName: screenName
    > searchFor: query
    > tweetMessage: message
    > tweetMessage:inReplyTo: message replyId
    > showRetweets
    > showFavorites
    > showLists
    > showListWithId: listId
    > tweetSearchPage
    > followUser: user
    > unfollowUser: user
    > favoriteTweetWithId: tweetId
    > unfavoriteTweetWithId: tweetId
    > retweetTweetWithId: tweetId
    facebook INKFacebookHandler - Facebook Client
    > showProfileWithId: userId
    > showEventWithId: eventId
    gplus INKGPlusHandler - Google+ Client
    ! Google+ was closed in 2019
    > showGPlusProfileWithId: userId
    > showGPlusProfileWithName: userName
    > showGPlusEventWithId: eventId
    > showGPlusCommunityWithId: communityId
    """)

  private static func parse(_ table: String) -> [IntentClass] {
    var classes: [IntentClass] = []
    var lines: [[String]] = []
    func finish() {
      guard let head = lines.first else { return }
      func words(_ mark: String) -> [String] {
        lines.first { $0[0] == mark }.map { Array($0.dropFirst()) } ?? []
      }
      classes.append(
        IntentClass(
          name: head[0], handler: head[1], title: head[3...].joined(separator: " "),
          schemes: head[2] == "-" ? [] : head[2].split(separator: ",").map(String.init),
          commands: lines.filter { $0[0] == ">" }
            .map { Command(name: $0[1], arguments: Array($0.dropFirst(2))) },
          optional: words("?"), empty: words("="),
          end: words("!").isEmpty ? nil : words("!").joined(separator: " ")))
    }
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words[0].utf8.count > 1 {
        finish()
        lines = []
      }
      lines.append(words)
    }
    finish()
    return classes
  }

  /// The class of a name, or of a handler's name.
  package static func named(_ name: String) -> IntentClass? {
    all.first { $0.name == name || $0.handler == name }
  }

  /// The class that has a command.
  package static func of(command: String) -> (IntentClass, Command)? {
    for one in all {
      if let found = one.commands.first(where: { $0.name == command }) { return (one, found) }
    }
    return nil
  }
}

/// A command with its arguments, as it was asked for and as applications know it.
package struct IntentRequest: Hashable, Sendable {
  package let intent: IntentClass
  package let command: IntentClass.Command
  /// With the arguments that have a value by default.
  package let arguments: [String: String]
  /// The arguments that were asked for.
  package let given: Set<String>

  /// - Parameter name: the command; its last colon may be left out. `openURL:` stands for the one of
  ///   its scheme, `directionsFrom:to:` for directions by car.
  /// - Returns: `nil` for an unknown command.
  /// - Throws: `IntentFailure` for arguments that the command does not have, or lacks.
  package init?(_ name: String, _ given: [String: String]) throws(IntentFailure) {
    var (name, arguments) = (name, given)
    switch name {
    case "openURL:", "openURL":
      guard let url = arguments["url"] else { throw .missingArgument("url") }
      guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else {
        throw .badArgument("url", "it has no scheme")
      }
      let scheme = url[..<colon]
      guard ["http", "https"].contains(scheme.lowercased()) else {
        throw .badArgument("url", "it is no http: or https: URL")
      }
      let rest = url[url.utf8.index(after: colon)...]
      guard rest.utf8.starts(with: "//".utf8) else {
        throw .badArgument("url", "'//' must follow the scheme")
      }
      name = scheme.lowercased() == "https" ? "openHttpsURL:" : "openHttpURL:"
      arguments["url"] = String(rest.dropFirst(2))
    case "directionsFrom:to:", "directionsFrom:to":
      name = "directionsFrom:to:mode:"
      if arguments["mode"] == nil { arguments["mode"] = "driving" }
    default: break
    }
    let known = IntentClass.of(command: name) ?? IntentClass.of(command: name + ":")
    guard let (intent, command) = known else { return nil }
    for key in arguments.keys.sorted()
    where !command.arguments.contains(key) && !intent.optional.contains(key) {
      throw .unknownArgument(key)
    }
    for key in intent.empty where arguments[key] == nil { arguments[key] = "" }
    for key in command.arguments where arguments[key] == nil { throw .missingArgument(key) }
    try Self.check(&arguments, of: intent)
    self.intent = intent
    self.command = command
    self.given = Set(arguments.keys).intersection(given.keys)
    self.arguments = arguments
  }

  /// Checks the arguments that have a form, and writes them as IntentKit does.
  private static func check(
    _ arguments: inout [String: String], of intent: IntentClass
  ) throws(IntentFailure) {
    for (key, value) in arguments where value.utf8.contains(0) {
      throw .badArgument(key, "it has a NUL character")
    }
    if intent.name == "mail" { try checkMail(&arguments) }
    guard intent.name == "maps" else { return }
    if let mode = arguments["mode"], !["driving", "transit", "walking"].contains(mode) {
      throw .badArgument("mode", "expected driving, transit or walking")
    }
    if let zoom = arguments["zoom"] {
      guard let number = Int(zoom) else { throw .badArgument("zoom", "expected a whole number") }
      arguments["zoom"] = number == -1 ? nil : "\(number)"
    }
    if let center = arguments["center"] {
      let parts = center.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
        abs(latitude) <= 90, abs(longitude) <= 180
      else { throw .badArgument("center", "expected LATITUDE,LONGITUDE in degrees") }
      arguments["center"] = "\(sixDecimals(latitude)),\(sixDecimals(longitude))"
    }
  }

  /// Checks a mail as `share` does. Recipients are separated by commas and spaces; none is allowed,
  /// since the user names them in the mail program.
  private static func checkMail(_ arguments: inout [String: String]) throws(IntentFailure) {
    var mail = ActivityURL.Mail()
    mail.subject = arguments["subject"]
    arguments["subject"] = mail.subject
    guard let recipient = arguments["recipient"], !recipient.isEmpty else { return }
    mail.to = recipient.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
    do throws(ActivityURL.Failure) {
      try mail.check()
    } catch {
      throw .badArgument("recipient", error.description)
    }
  }

  /// As C's `%f`, for degrees.
  private static func sixDecimals(_ number: Double) -> String {
    let millionths = Int((abs(number) * 1e6).rounded(.toNearestOrEven))
    let digits = String(millionths % 1_000_000)
    let sign = number.sign == .minus ? "-" : ""
    return "\(sign)\(millionths / 1_000_000)."
      + String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }
}
