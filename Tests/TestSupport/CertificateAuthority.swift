import Foundation

/// A certificate authority for one test, made by openssl(1) and gone with it.
package final class CertificateAuthority {
  /// openssl could not make a certificate.
  package struct CannotMake: Error {
    let errors: String
  }

  /// A certificate and its key, as PEM files.
  package struct Identity {
    package let certificate: String
    package let key: String
  }

  private let directory: TemporaryDirectory
  /// The authority's own certificate, a PEM file.
  package let certificate: String

  package init() throws {
    directory = try TemporaryDirectory()
    certificate = directory.path("authority.pem")
    try openssl(
      ["req", "-x509", "-days", "2", "-subj", "/CN=docsource tests", "-out", certificate]
        + newKey("authority"))
  }

  /// Makes a certificate for host names; `days` is how long it is good, negative if it was.
  package func identity(for hosts: [String], days: Int = 2) throws -> Identity {
    let name = "server-\(UUID().uuidString)"
    let request = directory.path("\(name).csr")
    let names = "subjectAltName=" + hosts.map { "DNS:\($0)" }.joined(separator: ",")
    let extensions = try directory.file("\(name).ext", names)
    let certificate = directory.path("\(name).pem")
    try openssl(["req", "-subj", "/CN=\(hosts[0])", "-out", request] + newKey(name))
    try openssl([
      "x509", "-req", "-in", request, "-days", "\(days)", "-extfile", extensions,
      "-CA", self.certificate, "-CAkey", directory.path("authority.key"), "-CAcreateserial",
      "-out", certificate,
    ])
    return Identity(certificate: certificate, key: directory.path("\(name).key"))
  }

  private func newKey(_ name: String) -> [String] {
    [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
      directory.path("\(name).key"),
    ]
  }

  private func openssl(_ arguments: [String]) throws {
    let execution = try Execution.run(["openssl"] + arguments)
    guard execution.status == 0 else { throw CannotMake(errors: execution.errors) }
  }
}
