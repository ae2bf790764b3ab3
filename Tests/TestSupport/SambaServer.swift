import Foundation
import Glibc

/// smbd on a free port of 127.0.0.1, with the shares of the fixtures' authors, and its client.
package final class SambaServer {
  /// Each way to keep streams, by the name of its share.
  package enum Share: String, CaseIterable, Sendable {
    /// As Samba's manual has it for Macs, all defaults.
    case `default`
    /// Likewise, a colon in a stream's name being one on disk.
    case native
    /// As vfs_fruit(8) has it for Netatalk beside it: streams under their own names.
    case interop
    /// Without anything for Macs.
    case plain
    /// As Samba's wiki recommends it for Macs.
    case stream
    /// With streams in files below `.streams`.
    case depot

    fileprivate var settings: [String] {
      switch self {
      case .default: ["vfs objects = fruit streams_xattr"]
      case .native: ["vfs objects = catia fruit streams_xattr", "fruit:encoding = native"]
      case .interop:
        [
          "vfs objects = catia fruit streams_xattr", "fruit:encoding = native",
          "fruit:metadata = netatalk", "streams_xattr:prefix = user.",
          "streams_xattr:store_stream_type = no",
        ]
      case .plain: ["vfs objects = streams_xattr"]
      case .depot: ["vfs objects = streams_depot"]
      case .stream:
        [
          "vfs objects = fruit streams_xattr", "fruit:metadata = stream",
          "fruit:veto_appledouble = no", "fruit:wipe_intentionally_left_blank_rfork = yes",
          "fruit:delete_empty_adfiles = yes",
        ]
      }
    }
  }

  private let port = LoopbackPort.free()
  private let directory: TemporaryDirectory
  private let configuration: String
  private let process: ServerProcess

  package init() throws {
    let (directory, port) = (try TemporaryDirectory(), port)
    let root = directory.root
    for name in ["lock", "state", "cache", "private", "run", "run/ncalrpc", "log"] {
      mkdir(directory.path(name), 0o755)
    }
    let shares = Share.allCases.map { share in
      mkdir(directory.path(share.rawValue), 0o755)
      let settings = [
        "path = \(directory.path(share.rawValue))", "guest ok = yes", "read only = no",
        "force user = root",
      ]
      return "[\(share.rawValue)]\n" + (settings + share.settings).joined(separator: "\n")
    }
    configuration = try directory.file(
      "smb.conf",
      """
      [global]
      server role = standalone server
      interfaces = 127.0.0.1/8
      bind interfaces only = yes
      smb ports = \(port.number)
      disable netbios = yes
      map to guest = bad user
      guest account = nobody
      server min protocol = SMB2
      lock directory = \(root)/lock
      state directory = \(root)/state
      cache directory = \(root)/cache
      private dir = \(root)/private
      pid directory = \(root)/run
      ncalrpc dir = \(root)/run/ncalrpc
      log file = \(root)/log/log
      load printers = no
      printing = bsd
      printcap name = /dev/null
      ea support = yes
      fruit:aapl = yes

      \(shares.joined(separator: "\n\n"))
      """)
    self.directory = directory
    process = try ServerProcess(
      ["smbd", "--foreground", "--configfile=\(configuration)"],
      errors: { (try? directory.text("log/log")) ?? "" }, isReady: { port.isOpen })
  }

  /// The path here of a file on a share.
  package func path(_ share: Share, _ name: String) -> String {
    directory.path("\(share.rawValue)/\(name)")
  }

  /// Runs commands of smbclient(1) on a share: `put LOCAL "doc.txt:stream"`.
  package func client(_ share: Share, _ commands: String) throws -> Execution {
    try Execution.run([
      "smbclient", "//127.0.0.1/\(share.rawValue)", "-p", "\(port.number)", "-N",
      "--configfile=\(configuration)", "-c", commands,
    ])
  }

  /// Lists the top of a share as a Mac does, upon which smbd makes streams of AppleDouble files.
  package func listAsMac(_ share: Share) throws -> Execution {
    let script = Fixture.root.appending(path: "Tests/Scripts/list-as-mac").path
    return try Execution.run([script, "\(port.number)", share.rawValue])
  }

  /// Runs net(8), which converts between the ways to keep streams.
  package func net(_ arguments: String...) throws -> Execution {
    try Execution.run(["net", "--configfile=\(configuration)"] + arguments)
  }
}
