import ActivationRule
import CommandLineInterface
import LinuxSystem
import TextFormats
import UniformType

/// Which files the extensions of an app are offered, each by itself.
struct RuleFilter: Sendable {
  private let rules: [(rule: PreparedRule, tree: TypeTree)]
  private let detector = TypeDetector()

  /// - Returns: `nil` after saying why the rules cannot be read.
  init?(_ operand: [UInt8], _ types: DeclaredTypes, _ console: Console) {
    guard let named = RuleSource.rules([operand], predicate: nil, console) else { return nil }
    var rules: [(rule: PreparedRule, tree: TypeTree)] = []
    for rule in named {
      let tree = types.tree(adding: rule.declarations)
      do throws(ActivationRule.Failure) {
        rules.append((PreparedRule(try ActivationRule(rule.found.value), in: tree), tree))
      } catch {
        console.fail(rule.name[...], "cannot read the rule: \(error)")
        return nil
      }
    }
    self.rules = rules
  }

  /// Whether some rule accepts a file; `nil` after saying why the file's type is not known.
  func accepts(_ path: FilePath, _ console: Console) -> Bool? {
    guard let detected = detector.type(of: path, console) else { return nil }
    return rules.contains { rule, tree in
      let type = detected.type(of: path, in: tree).identifier
      let content = SharedContent([RuleContent.types(of: type)])
      return (try? rule.matches(PreparedContent(content, in: tree))) ?? false
    }
  }
}
