// swift-tools-version: 6.2

import PackageDescription

// Nested, so that the code we compare with never enters the main build.
let package = Package(
  name: "TreeTag",
  targets: [
    .executableTarget(name: "TreeTagPeer", cSettings: [.unsafeFlags(["-O2"])]),
    .executableTarget(name: "WatchPeer", cSettings: [.unsafeFlags(["-O2"])]),
  ]
)
