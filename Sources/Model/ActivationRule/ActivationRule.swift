public import BinaryPropertyList
public import UniformType

/// A rule that says for which content an app's extension is offered: the value of the key
/// `NSExtensionActivationRule` of an Info.plist.
public enum ActivationRule: Sendable, Equatable {
  case predicate(RulePredicate)
  case dictionary(DictionaryRule)

  /// Why a value is no rule. An extension with such a rule is never offered.
  public enum Failure: Error, Hashable, CustomStringConvertible, Sendable {
    case syntax(RulePredicate.SyntaxError)
    /// Neither a text nor a dictionary.
    case type

    public var description: String {
      switch self {
      case .syntax(let error): error.description
      case .type: "neither a predicate nor a dictionary"
      }
    }
  }

  /// Reads a rule. A truth value is the predicate that is always true, or never.
  public init(_ value: PropertyList) throws(Failure) {
    switch value {
    case .string(let text):
      do throws(RulePredicate.SyntaxError) {
        self = .predicate(try RulePredicate(text))
      } catch {
        throw .syntax(error)
      }
    case .boolean(let value): self = try Self(.string(value ? "TRUEPREDICATE" : "FALSEPREDICATE"))
    case .dictionary(let dictionary): self = .dictionary(DictionaryRule(dictionary))
    default: throw .type
    }
  }
}

extension ActivationRule {
  /// Whether the answer may depend on the types of attachments. Where it is `false`, attachments can be
  /// given any types.
  public var dependsOnTypes: Bool {
    switch self {
    case .predicate(let predicate): predicate.dependsOnTypes
    case .dictionary(let rule): !rule.accepted.isEmpty
    }
  }
}

/// A rule whose types were looked up in a tree, once for all content that it is held against.
public enum PreparedRule: Sendable {
  case predicate(PreparedPredicate)
  case dictionary(DictionaryRule)

  public init(_ rule: ActivationRule, in tree: TypeTree = .builtIn) {
    switch rule {
    case .predicate(let predicate): self = .predicate(PreparedPredicate(predicate, in: tree))
    case .dictionary(let dictionary): self = .dictionary(dictionary)
    }
  }

  /// Whether an extension with the rule is offered for the content.
  ///
  /// - Parameter content: prepared with the same tree.
  /// - Throws: `EvaluationError` where the rule has no answer; the extension is not offered then.
  public func matches(_ content: PreparedContent) throws(EvaluationError) -> Bool {
    switch self {
    case .predicate(let predicate): try predicate.matches(content)
    case .dictionary(let rule): rule.decide(content.classes) == .accepted
    }
  }
}

/// An activation rule where it was found, with what else the property list says of the extension.
public struct FoundRule: Sendable {
  /// The value, which may be no rule.
  public let value: PropertyList
  /// The keys that lead to the value; none where it is the whole list.
  public let keyPath: [String]
  /// What the extension extends: `com.apple.share-services`.
  public let extensionPoint: String?
  /// The extension's bundle identifier.
  public let identifier: String?
  /// Keys that belong into the rule's dictionary and stand beside it or above.
  public let misplacedKeys: [String]

  static let ruleKey = "NSExtensionActivationRule"
  /// What the keys of a rule in the form of a dictionary begin with.
  private static let prefix = "NSExtensionActivation"

  /// Finds the rule of a property list: an Info.plist, a dictionary that is a rule, a text that is a
  /// predicate.
  ///
  /// - Returns: `nil` for a list without a rule, such as the Info.plist of an app.
  public init?(in list: PropertyList) {
    guard case .dictionary(let root) = list else {
      switch list {
      case .string, .boolean: self.init(list, [], root: PropertyList.Dictionary(), around: [])
      default: return nil
      }
      return
    }
    if let extended = root.dictionary("NSExtension"),
      let attributes = extended.dictionary("NSExtensionAttributes"),
      let value = attributes[Self.ruleKey]
    {
      self.init(
        value, ["NSExtension", "NSExtensionAttributes", Self.ruleKey], root: root,
        around: [root, extended, attributes])
      return
    }
    let keys = root.keys.filter { $0.utf8.starts(with: Self.prefix.utf8) }
    let own = keys.filter { $0 != Self.ruleKey }
    if own.allSatisfy({ [DictionaryRule.versionKey, DictionaryRule.strictKey].contains($0) }),
      let value = root[Self.ruleKey]
    {
      self.init(value, [Self.ruleKey], root: root, around: [root])
    } else if !keys.isEmpty {
      self.init(list, [], root: root, around: [])
    } else {
      return nil
    }
  }

  private init(
    _ value: PropertyList, _ keyPath: [String], root: PropertyList.Dictionary,
    around dictionaries: [PropertyList.Dictionary]
  ) {
    self.value = value
    self.keyPath = keyPath
    extensionPoint = root.dictionary("NSExtension")?.string("NSExtensionPointIdentifier")
    identifier = root.string("CFBundleIdentifier")
    misplacedKeys = dictionaries.flatMap { dictionary in
      [DictionaryRule.versionKey, DictionaryRule.strictKey].filter { dictionary[$0] != nil }
    }
  }
}

/// An activation rule and where it was read.
package struct NamedRule {
  /// The operand; `nil` for a predicate of the command line.
  package let file: ArraySlice<UInt8>?
  /// The path below a bundle or in an archive, where the operand is one.
  package let entry: [UInt8]?
  /// The bytes of the property list, where they tell places: those of XML.
  package let source: [UInt8]?
  package let found: FoundRule
  /// The types that the extension and its app declare.
  package let declarations: [TypeDeclaration]

  package init(
    file: ArraySlice<UInt8>?, entry: [UInt8]?, source: [UInt8]?, found: FoundRule,
    declarations: [TypeDeclaration]
  ) {
    (self.file, self.entry, self.source) = (file, entry, source)
    (self.found, self.declarations) = (found, declarations)
  }

  /// What the rule is called in messages, not escaped.
  package var name: [UInt8] {
    guard let file else { return Array("predicate".utf8) }
    return Array(file) + (entry.map { Array(": ".utf8) + $0 } ?? [])
  }

  /// The file whose lines messages name.
  package var path: [UInt8] {
    guard let file else { return Array("predicate".utf8) }
    guard let entry else { return Array(file) }
    return file + (file.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + entry
  }
}

extension PropertyList.Dictionary {
  fileprivate func dictionary(_ key: String) -> PropertyList.Dictionary? {
    if case .dictionary(let dictionary)? = self[key] { dictionary } else { nil }
  }

  fileprivate func string(_ key: String) -> String? {
    if case .string(let text)? = self[key] { text } else { nil }
  }
}
