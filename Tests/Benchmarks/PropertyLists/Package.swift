// swift-tools-version: 6.2

import PackageDescription

// Nested, so that the libraries it compares with never enter the main build.
let package = Package(
  name: "PropertyLists",
  dependencies: [.package(name: "docsource", path: "../../..")],
  targets: [
    .systemLibrary(
      name: "CPlist", pkgConfig: "libplist-2.0", providers: [.apt(["libplist-dev"])]),
    .target(name: "CFloor"),
    .target(name: "CPinning"),
    .executableTarget(
      name: "PropertyLists",
      dependencies: [
        .product(name: "BinaryPropertyList", package: "docsource"),
        .product(name: "BinaryPropertyListCoders", package: "docsource"),
        .product(name: "DocumentSource", package: "docsource"),
        .product(name: "ShareItem", package: "docsource"),
        "CFloor", "CPinning", "CPlist",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
