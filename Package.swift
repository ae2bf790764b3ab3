// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "docsource",
  products: [
    .executable(name: "docsource", targets: ["docsource"]),
    .library(name: "BinaryPropertyList", targets: ["BinaryPropertyList"]),
    .library(name: "DocumentSource", targets: ["DocumentSource"]),
    .library(name: "Xattr", targets: ["Xattr"]),
  ],
  targets: [
    .target(name: "CXattr", linkerSettings: [.linkedLibrary("attr")]),
    .target(name: "Xattr", dependencies: ["CXattr"], swiftSettings: strict),
    .target(name: "BinaryPropertyList", swiftSettings: strict),
    .target(
      name: "DocumentSource", dependencies: ["BinaryPropertyList", "Xattr"],
      swiftSettings: strict),
    .target(name: "FileTree", dependencies: ["Xattr"], swiftSettings: strict),
    .target(name: "CommandLineInterface", swiftSettings: strict),
    .executableTarget(
      name: "docsource",
      dependencies: [
        "BinaryPropertyList", "CommandLineInterface", "DocumentSource", "FileTree", "Xattr",
      ],
      swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(
      name: "BinaryPropertyListTests", dependencies: ["BinaryPropertyList", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
