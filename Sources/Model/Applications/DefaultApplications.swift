package import LinuxSystem
internal import TextFormats

/// A list of default applications, as the desktop's `mimeapps.list` has it:
///
///     [Default Applications]
///     x-scheme-handler/mailto=thunderbird.desktop
///
/// GIO reads the desktop's; this writes it, one entry at a time: all other lines stay as they are,
/// whatever they are.
package struct DefaultApplications {
  private static let defaults = "Default Applications"
  private static let removed = "Removed Associations"

  private let file: UserFile

  /// The desktop's list, `$XDG_CONFIG_HOME/mimeapps.list`.
  package static func ofDesktop(
    _ places: BaseDirectories
  ) throws(UserFile.Failure) -> DefaultApplications {
    DefaultApplications(file: try UserFile(configuration: "mimeapps.list", places))
  }

  /// Our own list, for what has no type: `$XDG_CONFIG_HOME/docsource/intents.list`.
  package static func own(
    _ places: BaseDirectories
  ) throws(UserFile.Failure) -> DefaultApplications {
    DefaultApplications(file: try UserFile("intents.list", in: places))
  }

  package var path: FilePath { file.path }

  /// The default for a key, as the list alone has it.
  package func application(for key: String) throws(UserFile.Failure) -> String? {
    Self.application(for: key, in: try file.content() ?? [])
  }

  /// The default for a key that a list has.
  package static func application(for key: String, in content: [UInt8]) -> String? {
    KeyFile(content).string(key, in: defaults)
  }

  /// Sets the defaults of keys, or removes them; two processes that do so keep both changes.
  ///
  /// - Returns: whether the list has changed.
  package func set(
    _ keys: [String], to application: String?
  ) throws(UserFile.Failure) -> Bool {
    var hasChanged = false
    try file.edit { content in
      if content == nil, application == nil { return nil }
      let old = content ?? []
      let new = keys.reduce(old) { Self.edited($0, $1, application) }
      hasChanged = new != old
      return hasChanged ? new : nil
    }
    return hasChanged
  }

  /// The list with another default for a key, `nil` for none.
  ///
  /// An application that the user has taken off the key is taken off that list, too: GIO would pass
  /// it over.
  package static func edited(
    _ content: [UInt8], _ key: String, _ application: String?
  ) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    var lines = content.split(separator: newline, omittingEmptySubsequences: false)
    // What follows the last line's end is no line.
    let isEnded = lines.last?.isEmpty ?? true
    if isEnded, !lines.isEmpty { lines.removeLast() }
    let end = lines.first?.last == UInt8(ascii: "\r") ? "\r" : ""
    let value = application.map(escaped)
    let entry = value.map { Array("\(key)=\($0)\(end)".utf8)[...] }
    var kept: [ArraySlice<UInt8>] = []
    var group: String?
    var isPlaced = entry == nil
    /// After the last line of the group that is not blank.
    var place: Int?
    for line in lines {
      let text = KeyFile.trimmed(line)
      if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
        group = String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
      } else if let equals = text.firstIndex(of: UInt8(ascii: "=")),
        KeyFile.trimmed(text[..<equals]).elementsEqual(key.utf8)
      {
        if group == defaults {
          // Of several the last one counts for GIO: one is left.
          if let entry, !isPlaced { kept.append(entry) }
          isPlaced = true
          place = kept.count
          continue
        }
        if group == removed, let value {
          let words = text[(equals + 1)...].split(separator: UInt8(ascii: ";"))
          let others = words.filter { !KeyFile.trimmed($0).elementsEqual(value.utf8) }
          if others.count < words.count {
            if !others.isEmpty {
              let rest = others.flatMap { Array($0) + [UInt8(ascii: ";")] }
              kept.append((Array("\(key)=".utf8) + rest + Array(end.utf8))[...])
            }
            continue
          }
        }
      }
      kept.append(line)
      if group == defaults, !text.isEmpty { place = kept.count }
    }
    if let entry, !isPlaced {
      if let place {
        kept.insert(entry, at: place)
      } else {
        if kept.last.map({ !KeyFile.trimmed($0).isEmpty }) ?? false {
          kept.append(Array(end.utf8)[...])
        }
        kept += [Array("[\(defaults)]\(end)".utf8)[...], entry]
      }
    }
    let joined = Array(kept.joined(separator: CollectionOfOne(newline)))
    // A last line without an end keeps that, too.
    return kept.isEmpty || !isEnded && kept.last == lines.last ? joined : joined + [newline]
  }

  /// A value with the escapes of the Desktop Entry Specification's strings: those who read the list
  /// take spaces around it away, and take a backslash for the beginning of an escape.
  private static func escaped(_ value: String) -> String {
    var bytes: [UInt8] = []
    for (index, byte) in value.utf8.enumerated() {
      let isOutside = index == 0 || index == value.utf8.count - 1
      switch byte {
      case 0x20 where isOutside: bytes += "\\s".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0a: bytes += "\\n".utf8
      case 0x0d: bytes += "\\r".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a word is the name of a MIME type, by RFC 6838, section 4.2.
  package static func isType(_ word: String) -> Bool {
    let parts = word.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        // A line that begins with # would be a comment.
        part.first.map(isLetterOrDigit) ?? false
          && part.allSatisfy { isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }
}
