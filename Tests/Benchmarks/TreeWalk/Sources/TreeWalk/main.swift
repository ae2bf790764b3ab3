import Foundation

// Usage: TreeWalk DIRECTORY TAGGED
// Times the walk over a directory in which so many files carry the attribute, beside its peers.
let arguments = CommandLine.arguments
guard arguments.count == 3, let tagged = Int(arguments[2]),
  let contest = Contest(root: arguments[1], attribute: "user.x-document-source")
else { exit(64) }

let works: [(name: String, work: () -> Bool)] = [
  ("walk, one thread", { contest.walk(workers: 1) == tagged }),
  ("walk, two threads", { contest.walk(workers: 2) == tagged }),
  ("C loop, one thread", { contest.loop() == tagged }),
  ("getfattr -R -n", { contest.getfattr() }),
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
ratio("one thread / C loop:", best[0] / best[2], "1.10", best[0] / best[2] <= 1.1)
ratio("two threads / C loop:", best[1] / best[2], "below 1", best[1] < best[2])
ratio("getfattr / one thread:", best[3] / best[0], "3", best[3] / best[0] >= 3)
ratio("getfattr / two threads:", best[3] / best[1], "3", best[3] / best[1] >= 3)
