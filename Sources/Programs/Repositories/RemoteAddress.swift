internal import CGit2
internal import ForeignFormats

/// The address that the current branch of a repository is fetched from.
enum RemoteAddress {
  /// The remote of the branch's upstream, else `origin`, else the only one; its first address, as
  /// `git remote get-url` says it, without credentials.
  static func read(_ repository: OpenRepository) throws(RepositoryFlaw) -> String? {
    var settings: OpaquePointer?
    try RepositoryFlaw.check(
      unsafe git_repository_config_snapshot(&settings, repository.pointer))
    defer { unsafe git_config_free(settings) }
    var names = unsafe git_strarray()
    try RepositoryFlaw.check(unsafe git_remote_list(&names, repository.pointer))
    defer { unsafe git_strarray_dispose(&names) }
    var remotes: [[UInt8]] = []
    for number in 0..<(unsafe names.count) {
      if let name = unsafe names.strings[number] {
        remotes.append(unsafe OpenRepository.bytes(name))
      }
    }
    let upstream = unsafe upstream(repository, settings)
    let origin = Array("origin".utf8)
    guard
      let name = [upstream, origin, remotes.count == 1 ? remotes[0] : nil].compactMap(\.self)
        .first(where: remotes.contains),
      let address = unsafe value("remote.", name, ".url", settings)
    else { return nil }
    return RepositoryRecord.Repository.withoutCredentials(rewritten(address, repository))
  }

  /// The remote of the current branch, also of one without commits.
  private static func upstream(
    _ repository: OpenRepository, _ settings: OpaquePointer?
  ) -> [UInt8]? {
    var head: OpaquePointer?
    guard unsafe git_reference_lookup(&head, repository.pointer, "HEAD") == 0 else { return nil }
    defer { unsafe git_reference_free(head) }
    guard let target = unsafe git_reference_symbolic_target(head) else { return nil }
    let (name, prefix) = (unsafe OpenRepository.bytes(target), Array("refs/heads/".utf8))
    guard name.starts(with: prefix) else { return nil }
    return unsafe value("branch.", Array(name.dropFirst(prefix.count)), ".remote", settings)
  }

  /// The first value of a setting.
  private static func value(
    _ section: String, _ name: [UInt8], _ key: String, _ settings: OpaquePointer?
  ) -> [UInt8]? {
    let full = Array(section.utf8) + name + Array(key.utf8) + [0]
    var iterator: OpaquePointer?
    let result = unsafe full.withUnsafeBytes { bytes in
      unsafe git_config_multivar_iterator_new(
        &iterator, settings, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), nil)
    }
    guard result == 0 else { return nil }
    defer { unsafe git_config_iterator_free(iterator) }
    var entry: UnsafeMutablePointer<git_config_entry>?
    guard unsafe git_config_next(&entry, iterator) == 0,
      let value = unsafe entry?.pointee.value
    else { return nil }
    return unsafe OpenRepository.bytes(value)
  }

  /// An address by the user's rules of `insteadOf`.
  private static func rewritten(_ address: [UInt8], _ repository: OpenRepository) -> [UInt8] {
    var remote: OpaquePointer?
    let result = unsafe (address + [0]).withUnsafeBytes { bytes in
      unsafe git_remote_create_anonymous(
        &remote, repository.pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
    guard result == 0 else { return address }
    defer { unsafe git_remote_free(remote) }
    return unsafe git_remote_url(remote).map { unsafe OpenRepository.bytes($0) } ?? address
  }
}
