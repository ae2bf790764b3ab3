import Foundation

// Usage: TreeWalk DIRECTORY TAGGED DOCSOURCE PEER
// Times the walk over a directory in which so many files carry the attribute, and `docsource find`
// as a whole process, beside their peers.
let arguments = CommandLine.arguments
guard arguments.count == 5, let tagged = Int(arguments[2]),
  let contest = Contest(
    root: arguments[1], attribute: "user.x-document-source", docsource: arguments[3],
    peer: arguments[4])
else { exit(64) }

let works: [(name: String, work: () -> Bool)] = [
  ("walk, one thread", { contest.walk(workers: 1) == tagged }),
  ("walk, two threads", { contest.walk(workers: 2) == tagged }),
  ("C loop, one thread", { contest.loop() == tagged }),
  ("C, whole process", { contest.process() }),
  ("getfattr -R -n", { contest.getfattr() }),
  ("find -j 1", { contest.find("-j1") }),
  ("find", { contest.find("-j2") }),
]
var times = [[Double]](repeating: [], count: works.count)
// In turns, so that all see the same machine; the first round warms the caches.
for round in 0..<13 {
  for (index, each) in works.enumerated() {
    let start = DispatchTime.now().uptimeNanoseconds
    guard each.work() else {
      print("\(each.name): wrong answer")
      exit(1)
    }
    let end = DispatchTime.now().uptimeNanoseconds
    if round > 0 { times[index].append(Double(end - start) / 1e6) }
  }
}
let best = times.map { $0.min() ?? .nan }
for (each, time) in zip(works, best) {
  let name = each.name.padding(toLength: 20, withPad: " ", startingAt: 0)
  print(name, String(format: "%7.1f ms", time))
}
func ratio(_ words: String, _ value: Double, _ goal: String, _ isReached: Bool) {
  print(words, String(format: "%.2f", value), "(to reach: \(goal))", isReached ? "" : "NOT reached")
}
let (alone, pair, loop, process, getfattr) = (best[0], best[1], best[2], best[3], best[4])
let (findAlone, find) = (best[5], best[6])
ratio("find -j 1 / C:", findAlone / process, "1.10", findAlone / process <= 1.1)
ratio("find / C:", find / process, "below 1", find < process)
ratio("getfattr / find:", getfattr / find, "at least 3", getfattr / find >= 3)
ratio("one thread / C loop:", alone / loop, "1.10", alone / loop <= 1.1)
ratio("two threads / C loop:", pair / loop, "below 1", pair < loop)
ratio("getfattr / two threads:", getfattr / pair, "at least 3", getfattr / pair >= 3)
