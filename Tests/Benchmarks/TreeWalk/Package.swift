// swift-tools-version: 6.2

import PackageDescription

// Nested, so that the code it compares with never enters the main build.
let package = Package(
  name: "TreeWalk",
  dependencies: [.package(name: "docsource", path: "../../..")],
  targets: [
    .target(name: "CPeer", cSettings: [.unsafeFlags(["-O2"])]),
    .executableTarget(
      name: "TreeWalk",
      dependencies: [
        .product(name: "FileTree", package: "docsource"),
        .product(name: "LinuxSystem", package: "docsource"),
        .product(name: "Xattr", package: "docsource"),
        "CPeer",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
