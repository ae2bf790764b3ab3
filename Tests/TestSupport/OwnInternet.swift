import Foundation
import Glibc

/// A network namespace where every address leads to one server and a stub answers for all names.
///
/// `Tests/Scripts/in-own-internet` says how.
package struct OwnInternet {
  /// What a fetch did there.
  package struct Fetch: Decodable {
    package let status: Int
    package let output: String
    package let errors: String
    package let seconds: Double
    /// The addresses at which it reached the server.
    package let reached: [String]
  }

  private struct Work: Encodable {
    let names: [String: [String: [[String]?]]]
    let redirects: [String: String]
    let probes: [String]
    let urls: [String]
  }

  private struct Result: Decodable {
    let reachable: [String]
    let fetches: [Fetch]
  }

  /// It could not be set up.
  package struct CannotRun: Error {
    let errors: String
  }

  /// Whether it is to be used: always in CI, where failing is better than skipping, otherwise where
  /// namespaces may be made.
  package static let mayRun: Bool = {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    return (try? Execution.run(["unshare", "--net", "--mount", "true"]).status) == 0
  }()

  /// For each host `A` and `AAAA`: the answers to the first, the second and later lookups, each a
  /// list of addresses, or `nil` for none at all.
  package var names: [String: [String: [[String]?]]] = [:]
  /// The Location for a path.
  package var redirects: [String: String] = [:]
  /// Addresses to connect to without the command.
  package var probes: [String] = []

  package init() {}

  /// Runs a command once for each URL.
  ///
  /// - Returns: which probes reached the server, and what became of the URLs.
  package func run(
    _ command: [String], urls: [String], _ identity: CertificateAuthority.Identity,
    environment: [String: String]
  ) throws -> (reachable: [String], fetches: [Fetch]) {
    let work = Work(names: names, redirects: redirects, probes: probes, urls: urls)
    let script = Fixture.root.appending(path: "Tests/Scripts/in-own-internet").path
    let execution = try Execution.run(
      ["unshare", "--net", "--mount", script, identity.certificate, identity.key] + command,
      environment: environment, input: [UInt8](JSONEncoder().encode(work)))
    guard execution.status == 0 else { throw CannotRun(errors: execution.errors) }
    let result = try JSONDecoder().decode(Result.self, from: Data(execution.output))
    return (result.reachable, result.fetches)
  }
}
