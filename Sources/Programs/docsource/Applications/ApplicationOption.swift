import Applications
import CommandLineInterface
import DocumentSource

/// `--app`: the values of a known application.
struct ApplicationOption {
  static let declaration = OptionDeclaration(
    "app", value: "ID", help: "a known application's identifier, name and URL")

  private let application: KnownApplication?

  /// Without the option there is no application.
  ///
  /// - Returns: `nil` after saying that the user's list cannot be read.
  /// - Throws: `UsageError` where no such application is known.
  init?(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
    guard let bytes = arguments.bytes(Self.declaration) else {
      application = nil
      return
    }
    let word = try ApplicationWord(bytes)
    guard let known = KnownApplications.ofUser(console) else { return nil }
    do throws(ApplicationWord.Failure) {
      application = try word.application(among: known)
    } catch {
      throw UsageError(error.reason)
    }
  }

  /// The value of a field, empty where none is known: that of another application must not stay.
  /// The path is no matter of the application.
  func value(_ field: DocumentSource.Field) -> String? {
    guard let application else { return nil }
    return switch field {
    case .identifier: application.identifier
    case .name: application.name ?? ""
    case .appInfoURL: application.appInfoURL ?? ""
    case .path: nil
    }
  }
}
