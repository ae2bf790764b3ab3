// swift-tools-version: 6.2

import PackageDescription

// A package of someone else's: that it builds is the test.
let package = Package(
  name: "Consumer",
  dependencies: [.package(name: "docsource", path: "../..")],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "BinaryPropertyList", package: "docsource"),
        .product(name: "BinaryPropertyListCoders", package: "docsource"),
        .product(name: "DocumentSource", package: "docsource"),
        .product(name: "LinuxSystem", package: "docsource"),
        .product(name: "Xattr", package: "docsource"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
