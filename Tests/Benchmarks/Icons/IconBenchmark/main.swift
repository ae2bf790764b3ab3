// Times the making of an icon against libpng's simplified interface, in one run.
import AppIcon
import CIconPeer
import CPinning
import Glibc
import IconFetch

if cpinning_stay() != 0 {
  print("the process could not be kept on one processor; figures scatter more")
}
guard let size = IconSize(points: 29, scale: 2) else { fatalError("there is no such size") }
let rendering = IconRendering(size: size)
var report = Report()
for sample in SamplePicture.allCases {
  let png = sample.png(side: 1024)
  var output = [UInt8](repeating: 0, count: 1 << 16)
  let best = Stopwatch.best(
    rounds: 40,
    [
      Work(1) { sink(unfailing { () throws(PictureFailure) in try rendering.render(png: png) }) },
      Work(1) { sink(cpeer_render(png, png.count, 58, &output, output.count)) },
      Work(1) {
        var (width, height): (UInt32, UInt32) = (0, 0)
        free(cpeer_read(png, png.count, &width, &height))
      },
    ])
  let name = "\(sample), 1024 to 58 px (\(png.count >> 10) KiB)"
  report.compare(name, best[0], with: "simplified", best[1], goal: 1)
  report.compare(name, best[0], with: "its reading", best[2])
}
report.finish()
