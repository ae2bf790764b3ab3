import Foundation
import TestSupport
import Testing

/// What happens meanwhile: killed writers, several writers and readers at once.
@Suite struct InterruptionTests {
  @Test func killedTaggingLeavesEachFileOldOrNew() throws {
    let directory = try TemporaryDirectory()
    let script = "mkdir tree && cd tree && seq 3000 | xargs touch"
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    let tree = directory.path("tree")
    let old = "old" + String(repeating: "o", count: 900)
    let new = "new" + String(repeating: "n", count: 700)
    let start = ContinuousClock.now
    #expect(try Docsource.run("tag", "-rq", "-i", "a.b", "--app-name", old, tree).status == 0)
    let longest = UInt64((ContinuousClock.now - start) / .microseconds(1))
    var delays = KillDelays(longest: longest, "InterruptionTests")
    while delays.goesOn {
      let name = delays.round.isMultiple(of: 2) ? new : old
      let arguments = [Docsource.path, "tag", "-rq", "--app-name", name, tree]
      let process = try RunningProcess(arguments.map { Array($0.utf8) })
      let status = delays.kill(process)
      #expect([0, 128 + SIGKILL].contains(status))
      let names = try Docsource.run("show", "-r", "--field", "name", tree)
      #expect(names.status == 0)
      #expect(names.errors == "")
      let values = names.text.split(separator: "\n")
      #expect(values.count == 3000)
      #expect(Set(values).isSubset(of: [old[...], new[...]]))
      delays.learn(status, isMidway: Set(values).count == 2)
    }
    #expect(delays.stoppedMidway > 0, "no run was killed midway")
  }

  @Test func readersNeverSeeAnErrorOrATornValue() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    let one = String(repeating: "1", count: 1500)
    let two = String(repeating: "2", count: 100)
    let loop = { (body: String) in
      [
        "bash", "-c", "end=$((SECONDS + 4)); while ((SECONDS < end)); do \(body); done",
        Docsource.path, path,
      ]
    }
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "--app-name", one, path).status == 0)
    let writers = try [one, two].map { name in
      try RunningProcess(
        loop("\"$0\" tag -q -i a.b --app-name \(name) \"$1\" || exit 1").map { Array($0.utf8) })
    }
    let read = """
      v=$("$0" show --field name "$1") || exit 1; \
      [[ $v == \(one) || $v == \(two) ]] || exit 2
      """
    let readers = try (0..<4).map { _ in
      try RunningProcess(loop(read).map { Array($0.utf8) })
    }
    #expect((writers + readers).map { $0.wait() } == [0, 0, 0, 0, 0, 0])
  }
}
