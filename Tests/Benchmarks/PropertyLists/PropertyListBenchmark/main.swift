// Times reading and writing of property lists against other implementations, in one run.
//
// Usage: PropertyListBenchmark [a] [b] [c] [d]
import CPinning

if cpinning_stay() != 0 {
  print("the process could not be kept on one processor; figures scatter more")
}
let chosen = CommandLine.arguments.dropFirst()
var report = Report()
if chosen.isEmpty || chosen.contains("a") {
  try report.addFourKeys()
}
if chosen.isEmpty || chosen.contains("b") {
  try report.addList("b", count: 761, rounds: 40, repetitions: 3)
}
if chosen.isEmpty || chosen.contains("c") {
  try report.addList("c", count: 76_923, rounds: 6, repetitions: 1)
}
if chosen.isEmpty || chosen.contains("d") {
  try report.addShareItem()
}
report.finish()
