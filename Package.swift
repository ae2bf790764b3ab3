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
    .executable(name: "docsource-archive", targets: ["docsource-archive"]),
    .executable(name: "docsource-fetch", targets: ["docsource-fetch"]),
    .executable(name: "docsource-xml", targets: ["docsource-xml"]),
    .library(name: "AppIcon", targets: ["AppIcon"]),
    .library(name: "AppStream", targets: ["AppStream"]),
    .library(name: "Applications", targets: ["Applications"]),
    .library(name: "Archive", targets: ["Archive"]),
    .library(name: "Attribution", targets: ["Attribution"]),
    .library(name: "BinaryPropertyList", targets: ["BinaryPropertyList"]),
    .library(name: "BinaryPropertyListCoders", targets: ["BinaryPropertyListCoders"]),
    .library(name: "DocumentSource", targets: ["DocumentSource"]),
    .library(name: "FileTree", targets: ["FileTree"]),
    .library(name: "IconFetch", targets: ["IconFetch"]),
    .library(name: "Manifest", targets: ["Manifest"]),
    .library(name: "Provenance", targets: ["Provenance"]),
    .library(name: "XBEL", targets: ["XBEL"]),
    .library(name: "Xattr", targets: ["Xattr"]),
    .library(name: "documentsource", type: .dynamic, targets: ["DocumentSourceC"]),
  ],
  targets: [
    .target(name: "CXattr", linkerSettings: [.linkedLibrary("attr")]),
    .target(name: "Xattr", dependencies: ["CXattr"], swiftSettings: strict),
    .target(name: "BinaryPropertyList", swiftSettings: strict),
    .target(
      name: "BinaryPropertyListCoders", dependencies: ["BinaryPropertyList"],
      swiftSettings: strict),
    .target(
      name: "DocumentSource", dependencies: ["BinaryPropertyList", "Xattr"],
      swiftSettings: strict),
    .target(
      name: "Provenance",
      dependencies: ["BinaryPropertyList", "CDirectory", "DocumentSource", "Xattr"],
      swiftSettings: strict),
    .target(name: "CDirectory"),
    .target(name: "CFileStatus"),
    .target(name: "FileTree", dependencies: ["CDirectory", "Xattr"], swiftSettings: strict),
    .target(name: "CommandLineInterface", swiftSettings: strict),
    .systemLibrary(name: "CMD", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .target(
      name: "Applications", dependencies: ["BinaryPropertyList", "CJansson", "FileTree", "Xattr"],
      swiftSettings: strict),
    .target(
      name: "AppIcon",
      dependencies: ["Applications", "CJansson", "CMD", "DocumentSource", "FileTree", "Xattr"],
      swiftSettings: strict),
    .target(name: "CFanotify"),
    .target(
      name: "Attribution", dependencies: ["Applications", "CFanotify", "Xattr"],
      swiftSettings: strict),
    .systemLibrary(name: "CDocumentSource"),
    .target(name: "CProgram"),
    .target(
      name: "DocumentSourceC",
      dependencies: [
        "AppIcon", "Applications", "BinaryPropertyList", "CDocumentSource", "CProgram",
        "DocumentSource", "PropertyListText", "Provenance", "Xattr",
      ],
      swiftSettings: strict),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .target(
      name: "Manifest",
      dependencies: ["CJansson", "CommandLineInterface", "DocumentSource", "Xattr"],
      swiftSettings: strict),
    .target(
      name: "PropertyListText",
      dependencies: ["BinaryPropertyList", "CJansson", "CommandLineInterface"],
      swiftSettings: strict),
    .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "GuardedXML", dependencies: ["CXML2"], swiftSettings: strict),
    .target(
      name: "XBEL",
      dependencies: ["CXML2", "GuardedXML", "PropertyListText", "Provenance", "Xattr"],
      swiftSettings: strict),
    .target(
      name: "AppStream", dependencies: ["Applications", "GuardedXML"], swiftSettings: strict),
    .executableTarget(
      name: "docsource-xml",
      dependencies: [
        "Applications", "AppStream", "BinaryPropertyList", "CommandLineInterface", "CXML2",
        "GuardedXML", "PropertyListText", "Provenance", "Sandbox", "XBEL", "Xattr",
      ],
      swiftSettings: strict),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .target(
      name: "Archive", dependencies: ["CArchive", "Provenance", "Xattr"], swiftSettings: strict),
    .executableTarget(
      name: "docsource-archive",
      dependencies: [
        "Archive", "BinaryPropertyList", "CommandLineInterface", "Provenance", "Sandbox", "Xattr",
      ],
      swiftSettings: strict),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .target(name: "CPicture", dependencies: ["CPNG"]),
    .target(name: "CSandbox"),
    .target(name: "Sandbox", dependencies: ["CSandbox", "Xattr"], swiftSettings: strict),
    .target(
      name: "IconFetch",
      dependencies: [
        "AppIcon", "CCurl", "CommandLineInterface", "CPicture", "CSandbox", "DocumentSource",
        "Sandbox", "Xattr",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "docsource-fetch",
      dependencies: ["AppIcon", "Applications", "CommandLineInterface", "IconFetch", "Xattr"],
      swiftSettings: strict),
    .executableTarget(
      name: "docsource",
      dependencies: [
        "AppIcon", "Applications", "Attribution", "BinaryPropertyList", "CFileStatus", "CJansson",
        "CommandLineInterface", "DocumentSource", "FileTree", "Manifest", "PropertyListText",
        "Provenance", "Xattr",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "CacheVisitor", dependencies: ["AppIcon", "Xattr"], path: "Tests/CacheVisitor",
      swiftSettings: strict),
    .testTarget(
      name: "AppIconTests",
      dependencies: ["AppIcon", "Applications", "CacheVisitor", "TestSupport", "Xattr"]),
    .testTarget(
      name: "AppStreamTests", dependencies: ["Applications", "AppStream", "TestSupport"]),
    .testTarget(
      name: "ApplicationsTests",
      dependencies: ["Applications", "BinaryPropertyList", "TestSupport", "Xattr"]),
    .testTarget(
      name: "AttributionTests",
      dependencies: ["Applications", "Attribution", "CFanotify", "TestSupport", "Xattr"]),
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "DocumentSourceCTests", dependencies: ["TestSupport", "docsource"]),
    .testTarget(name: "CXattrTests", dependencies: ["CXattr", "TestSupport"]),
    .testTarget(name: "XattrTests", dependencies: ["TestSupport", "Xattr"]),
    .executableTarget(
      name: "TreeVisitor", dependencies: ["FileTree", "Xattr"], path: "Tests/TreeVisitor",
      swiftSettings: strict),
    .testTarget(
      name: "FileTreeTests", dependencies: ["FileTree", "TestSupport", "TreeVisitor", "Xattr"]),
    .testTarget(
      name: "DocumentSourceTests",
      dependencies: ["BinaryPropertyList", "DocumentSource", "TestSupport", "Xattr"]),
    .testTarget(
      name: "ProvenanceTests",
      dependencies: ["DocumentSource", "Provenance", "TestSupport", "XBEL", "Xattr"]),
    .testTarget(
      name: "ManifestTests", dependencies: ["DocumentSource", "Manifest", "TestSupport", "Xattr"]),
    .testTarget(
      name: "PropertyListTextTests",
      dependencies: ["BinaryPropertyList", "PropertyListText", "TestSupport"]),
    .testTarget(
      name: "docsourceTests",
      dependencies: [
        "AppIcon", "BinaryPropertyList", "TestSupport", "Xattr", "docsource", "docsource-archive",
        "docsource-fetch", "docsource-xml",
      ]),
    .executableTarget(
      name: "PictureProbe",
      dependencies: ["CommandLineInterface", "IconFetch", "Sandbox", "Xattr"],
      path: "Tests/PictureProbe", swiftSettings: strict),
    .testTarget(
      name: "IconFetchTests",
      dependencies: [
        "AppIcon", "IconFetch", "PictureProbe", "Sandbox", "TestSupport", "Xattr",
        "docsource-fetch",
      ]),
    .testTarget(
      name: "CommandLineInterfaceTests", dependencies: ["CommandLineInterface", "TestSupport"]),
    .testTarget(
      name: "BinaryPropertyListTests", dependencies: ["BinaryPropertyList", "TestSupport"]),
    .testTarget(
      name: "BinaryPropertyListCodersTests",
      dependencies: ["BinaryPropertyList", "BinaryPropertyListCoders", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
