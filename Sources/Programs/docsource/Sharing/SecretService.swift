import CompanionProtocol

/// The secrets that an app and its share targets have in common, kept by the desktop's keyring.
/// docsource-share asks it; no secret is ever written to a file.
enum SecretService {
  static func ask(
    _ verb: SecretProtocol.Verb, group: String, service: String, account: String,
    secret: [UInt8] = []
  ) -> SecretProtocol.Answer {
    guard secret.count <= SecretProtocol.limit else { return .failed(SecretProtocol.excess) }
    do {
      let connection = try CompanionConnection(
        .secrets, [verb.rawValue, group, service, account].map { Array($0.utf8) },
        limit: SecretProtocol.messageLimit)
      if let message = try connection.answer(to: CompanionMessage([secret])),
        let answer = SecretProtocol.Answer(message)
      {
        return answer
      }
    } catch let failure as ChildProcess.Failure {
      return .failed(failure.description)
    } catch {
      return .failed("cannot talk to docsource-share: \(error)")
    }
    return .failed("docsource-share has ended without an answer")
  }
}
