import AppIcon
import LinuxSystem

/// What was found for an operand.
struct IconFinding {
  let operand: IconOperand
  var resolution: IconResolution
  /// The finished PNG, where the server forbids keeping it.
  var picture: [UInt8]?
  /// Whether something went wrong on the way, which has been said.
  var hasFailed = false

  /// What was found without the network. Any document's icon is no answer to a name that nobody
  /// knows.
  var answer: IconAnswer {
    if case .generic = resolution.answer, operand.isName { return .none }
    return resolution.answer
  }

  /// Where the icon comes from; `nil` where there is none.
  var origin: Consideration.Origin? {
    if picture != nil { return .remote }
    return switch answer {
    case .override: .override
    case .cached: .remote
    case .theme: .theme
    case .catalog: .catalog
    case .generic: .generic
    case .rendering, .none: nil
    }
  }

  /// The icon's file; `nil` where there is none.
  var path: FilePath? {
    guard picture == nil else { return nil }
    switch answer {
    case .override(let path), .cached(let path), .theme(let path), .catalog(let path),
      .generic(let path):
      return path
    case .rendering, .none: return nil
    }
  }
}
