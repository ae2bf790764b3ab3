// swift-tools-version: 6.2

import PackageDescription

// A package of its own, since nothing but `make differential` needs it.
let package = Package(
  name: "Differential",
  dependencies: [.package(name: "docsource", path: "../..")],
  targets: [
    .executableTarget(
      name: "PropertyListGenerator",
      dependencies: [.product(name: "BinaryPropertyList", package: "docsource")],
      swiftSettings: [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
