import Foundation

/// nginx with a throw-away certificate on a free port of 127.0.0.1.
package final class LoopbackServer {
  package let port: UInt16
  private let directory: TemporaryDirectory
  private let process: ServerProcess

  /// - Parameters:
  ///   - files: what stands below its root, by path without a slash before it.
  ///   - locations: more of nginx's configuration for the server.
  package init(
    _ identity: CertificateAuthority.Identity, files: [String: [UInt8]] = [:],
    locations: String = "", protocols: String = "TLSv1.2 TLSv1.3", ciphers: String = "DEFAULT"
  ) throws {
    let directory = try TemporaryDirectory()
    let port = LoopbackPort.free()
    for (name, bytes) in files {
      let path = URL(filePath: directory.path("root/\(name)"))
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: path)
    }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(directory.path($0));" }.joined(separator: " ")
    let configuration = try directory.file(
      "nginx.conf",
      """
      daemon off;
      master_process off;
      pid \(directory.path("pid"));
      error_log \(directory.path("errors"));
      events { worker_connections 64; }
      http {
        \(temporary)
        types { application/json json; image/png png; text/html html; }
        log_format one '$host $request_uri $status';
        access_log \(directory.path("requests")) one;
        server {
          listen 127.0.0.1:\(port.number) ssl;
          ssl_certificate \(identity.certificate);
          ssl_certificate_key \(identity.key);
          ssl_protocols \(protocols);
          ssl_ciphers \(ciphers);
          root \(directory.path("root"));
          absolute_redirect off;
          \(locations)
        }
      }
      """)
    self.directory = directory
    self.port = port.number
    process = try ServerProcess(
      ["nginx", "-e", directory.path("errors"), "-p", directory.root, "-c", configuration],
      errors: { (try? directory.text("errors")) ?? "" }, isReady: { port.isOpen })
  }

  /// What was asked of it so far: `HOST PATH STATUS` for each request.
  ///
  /// nginx writes a line after it has answered, so this waits for as many as are expected, and a
  /// little for more.
  package func requests(expecting count: Int) throws -> [String] {
    try? Patience.wait { try readRequests().count >= count }
    usleep(20_000)
    return try readRequests()
  }

  private func readRequests() throws -> [String] {
    try directory.text("requests").split(separator: "\n").map(String.init)
  }

  /// Puts other content in a file's place.
  package func replace(_ name: String, with bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: directory.path("root/\(name)")))
  }

  /// Stops it and returns what was asked of it: `HOST PATH STATUS` for each request.
  package func stop() throws -> [String] {
    process.stop()
    return try readRequests()
  }
}
