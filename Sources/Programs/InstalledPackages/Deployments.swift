internal import ForeignFormats
internal import LinuxSystem
internal import PackageDatabases

/// The directories that flatpak and snap keep each version of a package in: what is below one is of that
/// package, so that their records are of trees.
enum Deployments {
  /// Finds those that have what is asked for, or are below that.
  static func records(
    _ question: PackageQuestion, below root: FilePath, _ directories: BaseDirectories,
    system: Set<UInt32>, user: UInt32
  ) -> [PackageRecord] {
    let start = root.bytes.count == 1 ? 0 : root.bytes.count
    func place(_ path: FilePath) -> [UInt8] { Array(path.bytes.dropFirst(start)) }
    /// The directories on a level, without those that have nothing of what is asked for.
    func entries(_ directory: DatabaseDirectory) -> [(name: [UInt8], directory: DatabaseDirectory)]
    {
      directory.names().compactMap { name in
        guard let path = FilePath(bytes: name),
          question.overlaps(place(directory.path.appending(path)))
        else { return nil }
        return directory.directory(name).map { (name, $0) }
      }
    }
    func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
    var found: [PackageRecord] = []

    func addFlatpak(_ installation: FilePath, _ owners: Set<UInt32>) {
      // `/app` and `/usr` are where the sandbox has the files of applications and runtimes.
      for (kind, inside) in [("app", "/app/"), ("runtime", "/usr/")] {
        let path = installation.appending(FilePath(kind))
        guard question.overlaps(place(path)), let all = DatabaseDirectory(path, of: owners) else {
          continue
        }
        for (identifier, architectures) in entries(all) {
          for (architecture, branches) in entries(architectures) {
            for (branch, commits) in entries(branches) {
              for (commit, deployment) in entries(commits) where deployment.has("deploy") {
                let files = deployment.path.appending(FilePath("files"))
                found.append(
                  PackageRecord(
                    manager: .flatpak, package: text(identifier),
                    version: "\(text(branch))-\(text(Array(commit.prefix(12))))",
                    architecture: text(architecture),
                    database: Array(deployment.path.appending(FilePath("deploy")).bytes),
                    file: place(files) + [0x2f], path: Array(inside.utf8),
                    installed: deployment.modified(Array("deploy".utf8))))
              }
            }
          }
        }
      }
    }
    func addSnaps(_ path: FilePath) {
      guard question.overlaps(place(path)), let all = DatabaseDirectory(path, of: system) else {
        return
      }
      for (name, revisions) in entries(all) {
        for (revision, tree) in entries(revisions) {
          guard let meta = tree.directory(Array("meta".utf8)),
            let content = try? meta.content(of: "snap.yaml", limit: 1 << 20)
          else { continue }
          let description = SnapDescription(content)
          found.append(
            PackageRecord(
              manager: .snap, package: description.name ?? text(name),
              version: description.version ?? text(revision),
              database: Array(meta.path.appending(FilePath("snap.yaml")).bytes),
              file: place(tree.path) + [0x2f], path: [0x2f]))
        }
      }
    }
    addFlatpak(root.appending(FilePath("var/lib/flatpak")), system)
    if let own = directories.dataHome { addFlatpak(own.appending(FilePath("flatpak")), [user]) }
    for place in ["snap", "var/lib/snapd/snap"] { addSnaps(root.appending(FilePath(place))) }
    return found
  }
}
