internal import Glibc

/// The language in which a user wants to be told things.
public struct MessageLocale: Sendable {
  /// How the Desktop Entry Specification names it in keys, from the nearest to the widest:
  /// `sr_YU@Latn`, `sr_YU`, `sr@Latn`, `sr`. None for the locale C.
  let languages: [String]

  /// By the value of `LC_ALL`, else `LC_MESSAGES`, else `LANG`: `de_AT.UTF-8@euro`. The specification
  /// knows no list of languages as gettext's `LANGUAGE` is.
  ///
  /// - Parameter variable: gives an environment variable, or `nil`.
  public init(variable: (String) -> String?) {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    let parts = (value ?? "").split(separator: "@", maxSplits: 1)
    let place = (parts.first ?? "").prefix { $0 != "." }
    let language = place.prefix { $0 != "_" }
    guard !language.isEmpty, language != "C", language != "POSIX" else {
      languages = []
      return
    }
    let modifier = parts.count > 1 ? "@\(parts[1])" : ""
    var names: [String] = []
    for name in ["\(place)\(modifier)", "\(place)", "\(language)\(modifier)", "\(language)"]
    where !names.contains(name) {
      names.append(name)
    }
    languages = names
  }

  /// That of this process's user. The corresponding C function is getenv(3).
  public static func current() -> MessageLocale {
    MessageLocale { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }
}
