internal import Glibc

/// The language in which a user wants to read messages.
package struct MessageLocale: Sendable {
  /// The names of the language in keys of desktop entries, from the narrowest to the widest:
  /// `sr_YU@Latn`, `sr_YU`, `sr@Latn`, `sr`. None for the locale C.
  package let languages: [String]

  /// The text of a key in the narrowest of these languages, else in no particular one.
  ///
  /// - Parameter value: returns the value of a key.
  package func text(_ key: String, _ value: (String) -> String?) -> String? {
    for language in languages {
      if let text = value("\(key)[\(language)]") { return text }
    }
    return value(key)
  }

  /// Takes the value of `LC_ALL`, else `LC_MESSAGES`, else `LANG`: `de_AT.UTF-8@euro`. The
  /// specification has no list of languages like gettext's `LANGUAGE`.
  ///
  /// - Parameter variable: returns an environment variable, or `nil`.
  package init(variable: (String) -> String?) {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    let parts = (value ?? "").split(separator: "@", maxSplits: 1)
    let place = (parts.first ?? "").prefix { $0 != "." }
    let language = place.prefix { $0 != "_" }
    guard !language.isEmpty, language != "C", language != "POSIX" else {
      languages = []
      return
    }
    let modifier = parts.count > 1 ? "@\(parts[1])" : ""
    var seen: Set<String> = []
    languages = ["\(place)\(modifier)", "\(place)", "\(language)\(modifier)", "\(language)"]
      .filter { seen.insert($0).inserted }
  }

  /// The locale of the user of this process. The corresponding C function is getenv(3).
  package static func current() -> MessageLocale {
    MessageLocale { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }
}
