import Foundation

/// An https server on 127.0.0.1 for the answers that nginx does not give, by the request's path.
///
/// `Tests/Scripts/misbehaving-server` lists them.
package final class MisbehavingServer {
  package let port: UInt16
  private let directory: TemporaryDirectory
  private let process: ServerProcess

  package init(_ identity: CertificateAuthority.Identity) throws {
    let directory = try TemporaryDirectory()
    let script = Fixture.root.appending(path: "Tests/Scripts/misbehaving-server").path
    process = try ServerProcess(
      [script, identity.certificate, identity.key, directory.root],
      isReady: { (try? directory.text("port")) != nil })
    port = UInt16(try directory.text("port")) ?? 0
    self.directory = directory
  }

  /// The requests so far, as they were received.
  package var requests: [String] {
    ((try? directory.text("requests")) ?? "").split(separator: "\0").map(String.init)
  }
}
