internal import CGit2
package import ForeignFormats

/// Reads what a repository of git records of files. Nothing of the repository is written or started.
package struct RepositoryReader {
  private let question: RepositoryQuestion
  private let deadline: Int

  /// What has been found, those of each commit together, and what could not be read.
  package struct Answer {
    /// `nil` if the directory is not the work tree of a repository that counts.
    package var repository: RepositoryRecord.Repository?
    /// Whether the directory has no repository at all.
    package var isMissing = false
    package var records: [RepositoryRecord] = []
    package var flaws: [RepositoryFlaw] = []

    /// - Parameters:
    ///   - tracked: paths, those of directories with a slash after them.
    ///   - states: of what is not as in the commit that is checked out; `nil` if these are not known.
    fileprivate mutating func add(
      _ tracked: [[UInt8]], _ commits: [[UInt8]: RepositoryRecord.Commit],
      _ states: [[UInt8]: RepositoryRecord.State]?, of own: RepositoryRecord.Repository
    ) {
      var untracked = states ?? [:]
      for path in tracked {
        let isDirectory = path.last == 0x2f
        let place = isDirectory ? Array(path.dropLast()) : path
        untracked[path] = nil
        records.append(
          RepositoryRecord(
            own, path: place, commit: commits[path],
            state: isDirectory ? nil : states.map { $0[path] ?? .unchanged }))
      }
      records.sort { ($0.commit?.identifier ?? "") < ($1.commit?.identifier ?? "") }
      for (path, state) in untracked where !state.isTracked {
        records.append(RepositoryRecord(own, path: path, state: state))
      }
    }
  }

  /// - Parameter deadline: when reading is given up, in milliseconds of `Clock`.
  package init(_ question: RepositoryQuestion, deadline: Int) {
    self.question = question
    self.deadline = deadline
  }

  /// Prepares for reading; once for a process.
  ///
  /// - Parameter isAlone: whether no other thread opens files meanwhile.
  package static func start(isAlone: Bool) throws(RepositoryFlaw) {
    try RepositoryFlaw.check(cgit2_start(isAlone))
  }

  package func answer() -> Answer {
    var answer = Answer()
    do throws(RepositoryFlaw) {
      guard let repository = try OpenRepository(root: question.root) else { return answer }
      let remote = try RemoteAddress.read(repository)
      let own = RepositoryRecord.Repository(root: question.root, remote: remote)
      answer.repository = own
      if case .files(let paths) = question.extent,
        let tracked = CommittedPaths.tracked(paths, in: repository)
      {
        let commits = read(tracked, repository, &answer.flaws)
        answer.add(tracked, commits, [:], of: own)
        return answer
      }
      let files = try WorkTree(of: repository, deadline: deadline)
      defer { files.close() }
      let tracked = try files.tracked(question.extent)
      let commits = read(tracked, repository, &answer.flaws)
      var states: [[UInt8]: RepositoryRecord.State]?
      do throws(RepositoryFlaw) {
        states = try self.states(tracked, files)
      } catch {
        if !answer.flaws.contains(error) { answer.flaws.append(error) }
      }
      answer.add(tracked, commits, states, of: own)
    } catch {
      answer.isMissing = error == .missing
      if !answer.isMissing { answer.flaws.append(error) }
    }
    return answer
  }

  /// The commits of paths, as far as they can be read.
  private func read(
    _ tracked: [[UInt8]], _ repository: OpenRepository, _ flaws: inout [RepositoryFlaw]
  ) -> [[UInt8]: RepositoryRecord.Commit] {
    var history = PathHistory(tracked, in: repository, deadline: deadline)
    do throws(RepositoryFlaw) {
      try history.run()
    } catch {
      flaws.append(error)
    }
    var read: [ObjectName: RepositoryRecord.Commit] = [:]
    var commits: [[UInt8]: RepositoryRecord.Commit] = [:]
    for (path, name) in zip(tracked, history.commits) {
      guard let name else { continue }
      if read[name] == nil { read[name] = try? repository.commit(name) }
      commits[path] = read[name]
    }
    return commits
  }

  /// The states of files that are not as in the commit that is checked out.
  private func states(
    _ tracked: [[UInt8]], _ files: WorkTree
  ) throws(RepositoryFlaw) -> [[UInt8]: RepositoryRecord.State] {
    switch question.extent {
    case .trees(let directories):
      return try files.differences(
        directories.contains([]) ? [] : directories, includesUntracked: true)
    case .files(let paths):
      var states = try differences(of: tracked, files)
      for path in paths where !tracked.contains(path) && !tracked.contains(path + [0x2f]) {
        states[path] = try files.isIgnored(path) ? .ignored : .untracked
      }
      return states
    case .entries: return try differences(of: tracked, files)
    }
  }

  private func differences(
    of tracked: [[UInt8]], _ files: WorkTree
  ) throws(RepositoryFlaw) -> [[UInt8]: RepositoryRecord.State] {
    let paths = tracked.filter { $0.last != 0x2f }
    return paths.isEmpty ? [:] : try files.differences(paths, includesUntracked: false)
  }
}
