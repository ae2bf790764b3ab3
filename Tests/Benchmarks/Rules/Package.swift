// swift-tools-version: 6.2

import PackageDescription

// Nested, as the other benchmarks are. What times is that of the benchmark of property lists, by
// symbolic links.
let package = Package(
  name: "Rules",
  dependencies: [.package(name: "docsource", path: "../../..")],
  targets: [
    .target(name: "CPinning"),
    .executableTarget(
      name: "Rules",
      dependencies: [
        .product(name: "ActivationRule", package: "docsource"),
        .product(name: "BinaryPropertyList", package: "docsource"),
        "CPinning",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
