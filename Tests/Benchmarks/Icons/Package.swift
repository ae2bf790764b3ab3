// swift-tools-version: 6.2

import PackageDescription

// Nested, so that the code it compares with never enters the main build. What times and prints is
// that of the benchmark of property lists, by symbolic links.
let package = Package(
  name: "Icons",
  dependencies: [.package(name: "docsource", path: "../../..")],
  targets: [
    .systemLibrary(name: "CPeerPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .target(name: "CPeer", dependencies: ["CPeerPNG"], cSettings: [.unsafeFlags(["-O2"])]),
    .target(name: "CPinning"),
    .executableTarget(
      name: "Icons",
      dependencies: [
        .product(name: "AppIcon", package: "docsource"),
        .product(name: "IconFetch", package: "docsource"),
        "CPeer", "CPinning",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
