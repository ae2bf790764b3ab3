// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Of what waits for a user or for other programs: as installed, in less room. A package that others use may
/// not have such flags.
let small =
  Context.environment["DOCSOURCE_SMALL"] == nil ? strict : strict + [.unsafeFlags(["-Osize"])]

let package = Package(
  name: "docsource",
  products: [
    .executable(name: "docsource", targets: ["docsource"]),
    .executable(name: "docsource-archive", targets: ["docsource-archive"]),
    .executable(name: "docsource-content", targets: ["docsource-content"]),
    .executable(name: "docsource-fetch", targets: ["docsource-fetch"]),
    .executable(name: "docsource-records", targets: ["docsource-records"]),
    .executable(name: "docsource-repositories", targets: ["docsource-repositories"]),
    .executable(name: "docsource-share", targets: ["docsource-share"]),
    .executable(name: "docsource-xml", targets: ["docsource-xml"]),
    .library(name: "ActivationRule", targets: ["ActivationRule", "UniformType"]),
    .library(name: "BinaryPropertyList", targets: ["BinaryPropertyList"]),
    .library(name: "BinaryPropertyListCoders", targets: ["BinaryPropertyListCoders"]),
    .library(name: "DocumentSource", targets: ["DocumentSource"]),
    .library(name: "LinuxSystem", targets: ["LinuxSystem"]),
    .library(name: "Provenance", targets: ["Provenance", "ForeignFormats", "Witness"]),
    .library(name: "ShareItem", targets: ["ShareItem"]),
    .library(name: "Xattr", targets: ["Xattr"]),
    .library(name: "documentsource", type: .dynamic, targets: ["DocumentSourceC"]),
  ],
  targets: [
    // System
    .target(name: "CLinux", path: "Sources/System/CLinux"),
    .target(
      name: "LinuxSystem", dependencies: ["CLinux"], path: "Sources/System/LinuxSystem",
      swiftSettings: strict),
    .target(
      name: "CXattr", path: "Sources/System/CXattr", linkerSettings: [.linkedLibrary("attr")]),
    .target(
      name: "Xattr", dependencies: ["CXattr", "LinuxSystem"], path: "Sources/System/Xattr",
      swiftSettings: strict),
    .target(
      name: "FileTree", dependencies: ["CLinux", "LinuxSystem", "Xattr"],
      path: "Sources/System/FileTree",
      swiftSettings: strict),
    // Formats
    .target(name: "TextFormats", path: "Sources/Formats/TextFormats", swiftSettings: strict),
    .target(
      name: "JSON", dependencies: ["CJansson", "TextFormats"], path: "Sources/Formats/JSON",
      swiftSettings: strict),
    .target(
      name: "BinaryPropertyList", path: "Sources/Formats/BinaryPropertyList", swiftSettings: strict),
    .target(
      name: "BinaryPropertyListCoders", dependencies: ["BinaryPropertyList"],
      path: "Sources/Formats/BinaryPropertyListCoders",
      swiftSettings: strict),
    .target(
      name: "PropertyListText", dependencies: ["BinaryPropertyList", "LinuxSystem", "TextFormats"],
      path: "Sources/Formats/PropertyListText",
      swiftSettings: strict),
    .target(
      name: "JSONPropertyList",
      dependencies: [
        "BinaryPropertyList", "JSON", "LinuxSystem", "PropertyListText", "TextFormats",
      ],
      path: "Sources/Formats/JSONPropertyList",
      swiftSettings: strict),
    .target(
      name: "CompanionProtocol", dependencies: ["ForeignFormats", "LinuxSystem", "TextFormats"],
      path: "Sources/Formats/CompanionProtocol", swiftSettings: strict),
    .target(
      name: "ForeignFormats",
      dependencies: ["BinaryPropertyList", "LinuxSystem", "TextFormats", "Xattr"],
      path: "Sources/Formats/ForeignFormats", swiftSettings: strict),
    .target(
      name: "XMLFormats",
      dependencies: ["CXML2", "ForeignFormats", "TextFormats"],
      path: "Sources/Formats/XMLFormats", swiftSettings: strict),
    .target(
      name: "Archive", dependencies: ["CArchive", "ForeignFormats", "LinuxSystem", "Xattr"],
      path: "Sources/Formats/Archive", swiftSettings: strict),
    .target(
      name: "PackageDatabases", dependencies: ["CLinux", "DatabaseSnapshot", "ForeignFormats"],
      path: "Sources/Formats/PackageDatabases",
      swiftSettings: strict),
    .target(
      name: "DatabaseSnapshot", dependencies: ["CSQLite"],
      path: "Sources/Formats/DatabaseSnapshot",
      swiftSettings: strict),
    .target(
      name: "BrowserHistory",
      dependencies: ["CSQLite", "DatabaseSnapshot", "ForeignFormats", "JSON", "LinuxSystem"],
      path: "Sources/Formats/BrowserHistory", swiftSettings: strict),
    .target(
      name: "DesktopHistory",
      dependencies: ["DatabaseSnapshot", "ForeignFormats", "LinuxSystem", "TextFormats"],
      path: "Sources/Formats/DesktopHistory", swiftSettings: strict),
    .target(
      name: "EmbeddedMetadata", dependencies: ["ForeignFormats", "JSON"],
      path: "Sources/Formats/EmbeddedMetadata", swiftSettings: strict),
    .target(name: "GitIndex", path: "Sources/Formats/GitIndex", swiftSettings: strict),
    // Model
    .target(
      name: "DocumentSource",
      dependencies: [
        "BinaryPropertyList", "CLinux", "LinuxSystem", "PropertyListText", "TextFormats", "Xattr",
      ],
      path: "Sources/Model/DocumentSource",
      swiftSettings: strict),
    .target(
      name: "Witness", dependencies: ["BinaryPropertyList", "CLinux", "LinuxSystem", "Xattr"],
      path: "Sources/Model/Witness",
      swiftSettings: strict),
    .target(
      name: "ShareItem", dependencies: ["BinaryPropertyList", "TextFormats"],
      path: "Sources/Model/ShareItem",
      swiftSettings: small),
    .target(
      name: "Provenance",
      dependencies: [
        "BinaryPropertyList", "CLinux", "DocumentSource", "FileTree", "ForeignFormats",
        "LinuxSystem", "PropertyListText", "ShareItem", "TextFormats", "Witness", "Xattr",
      ],
      path: "Sources/Model/Provenance",
      swiftSettings: strict),
    .target(
      name: "Applications", dependencies: ["ForeignFormats", "JSON", "LinuxSystem", "TextFormats"],
      path: "Sources/Model/Applications",
      swiftSettings: strict),
    .target(
      name: "Manifest",
      dependencies: ["DocumentSource", "JSON", "LinuxSystem", "TextFormats", "Xattr"],
      path: "Sources/Model/Manifest",
      swiftSettings: strict),
    .target(
      name: "AppIcon",
      dependencies: ["Applications", "CLibMD", "FileTree", "JSON", "LinuxSystem", "TextFormats"],
      path: "Sources/Model/AppIcon",
      swiftSettings: strict),
    .target(
      name: "Watching",
      dependencies: [
        "Applications", "CLinux", "CompanionProtocol", "DocumentSource", "FileTree",
        "ForeignFormats", "JSON", "LinuxSystem", "Provenance", "TextFormats", "Witness", "Xattr",
      ],
      path: "Sources/Model/Watching",
      swiftSettings: strict),
    .target(
      name: "Handoff",
      dependencies: [
        "ActivationRule", "Applications", "BinaryPropertyList", "CLinux", "CompanionProtocol",
        "DocumentSource", "FileTree", "JSONPropertyList", "LinuxSystem", "Provenance", "ShareItem",
        "TextFormats", "UniformType", "Xattr",
      ],
      path: "Sources/Model/Handoff",
      swiftSettings: small),
    .target(
      name: "UniformType", dependencies: ["BinaryPropertyList", "TextFormats"],
      path: "Sources/Model/UniformType",
      swiftSettings: strict),
    .target(
      name: "ActivationRule", dependencies: ["BinaryPropertyList", "UniformType"],
      path: "Sources/Model/ActivationRule",
      swiftSettings: strict),
    // Programs
    .target(name: "CStart", path: "Sources/Programs/CStart"),
    .target(
      name: "CommandLineInterface", dependencies: ["LinuxSystem", "TextFormats"],
      path: "Sources/Programs/CommandLineInterface", exclude: ["CompletionScripts"],
      swiftSettings: strict),
    .executableTarget(
      name: "docsource",
      dependencies: [
        "ActivationRule", "AppIcon", "Applications", "BinaryPropertyList", "CLibMD", "CLinux",
        "CStart", "CommandLineInterface", "CompanionProtocol", "DocumentSource", "FileTree",
        "ForeignFormats", "Handoff", "JSONPropertyList", "LinuxSystem", "Manifest",
        "PropertyListText", "Provenance", "ShareItem", "TextFormats", "UniformType", "Watching",
        "Witness", "Xattr",
      ], path: "Sources/Programs/docsource", exclude: ["Manual"],
      swiftSettings: strict),
    .target(
      name: "IconFetch",
      dependencies: ["AppIcon", "CCurl", "CLinux", "CPicture", "LinuxSystem", "TextFormats"],
      path: "Sources/Programs/IconFetch",
      swiftSettings: strict),
    .executableTarget(
      name: "docsource-fetch",
      dependencies: [
        "AppIcon", "CStart", "CommandLineInterface", "IconFetch", "LinuxSystem", "TextFormats",
      ],
      path: "Sources/Programs/docsource-fetch",
      swiftSettings: strict),
    .executableTarget(
      name: "docsource-xml",
      dependencies: [
        "CStart", "CommandLineInterface", "ForeignFormats", "LinuxSystem", "XMLFormats",
      ], path: "Sources/Programs/docsource-xml",
      swiftSettings: strict),
    .executableTarget(
      name: "docsource-archive",
      dependencies: [
        "Archive", "CStart", "CommandLineInterface", "ForeignFormats", "LinuxSystem", "TextFormats",
      ],
      path: "Sources/Programs/docsource-archive",
      swiftSettings: strict),
    .executableTarget(
      name: "docsource-content",
      dependencies: [
        "CStart", "CommandLineInterface", "CompanionProtocol", "EmbeddedMetadata", "LinuxSystem",
      ],
      path: "Sources/Programs/docsource-content",
      swiftSettings: strict),
    .target(
      name: "InstalledPackages",
      dependencies: [
        "CLinux", "DatabaseSnapshot", "ForeignFormats", "LinuxSystem", "PackageDatabases",
      ],
      path: "Sources/Programs/InstalledPackages",
      swiftSettings: strict),
    .target(
      name: "Repositories", dependencies: ["CGit2", "ForeignFormats", "GitIndex", "LinuxSystem"],
      path: "Sources/Programs/Repositories",
      swiftSettings: strict),
    .executableTarget(
      name: "docsource-records",
      dependencies: [
        "BrowserHistory", "CStart", "CommandLineInterface", "CompanionProtocol",
        "DatabaseSnapshot", "DesktopHistory", "ForeignFormats", "InstalledPackages", "LinuxSystem",
        "TextFormats",
      ],
      path: "Sources/Programs/docsource-records",
      swiftSettings: strict),
    .executableTarget(
      name: "docsource-repositories",
      dependencies: [
        "CStart", "CommandLineInterface", "CompanionProtocol", "LinuxSystem", "Repositories",
      ],
      path: "Sources/Programs/docsource-repositories",
      swiftSettings: strict),
    .executableTarget(
      name: "docsource-share",
      dependencies: [
        "CGIO", "CStart", "CommandLineInterface", "CompanionProtocol", "LinuxSystem",
        "TextFormats",
      ],
      path: "Sources/Programs/docsource-share",
      swiftSettings: strict),
    // CLibrary
    .systemLibrary(name: "CDocumentSource", path: "Sources/CLibrary/CDocumentSource"),
    .target(
      name: "DocumentSourceC",
      dependencies: [
        "AppIcon", "BinaryPropertyList", "CDocumentSource", "CompanionProtocol", "DocumentSource",
        "ForeignFormats", "LinuxSystem", "Provenance", "ShareItem", "TextFormats", "Xattr",
      ], path: "Sources/CLibrary/DocumentSourceC",
      swiftSettings: strict),
    // SystemLibraries
    .systemLibrary(
      name: "CJansson", path: "Sources/SystemLibraries/CJansson", pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(
      name: "CLibMD", path: "Sources/SystemLibraries/CLibMD", pkgConfig: "libmd",
      providers: [.apt(["libmd-dev"])]),
    .systemLibrary(
      name: "CXML2", path: "Sources/SystemLibraries/CXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CArchive", path: "Sources/SystemLibraries/CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(
      name: "CGIO", path: "Sources/SystemLibraries/CGIO", pkgConfig: "gio-unix-2.0",
      providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(
      name: "CGit2", path: "Sources/SystemLibraries/CGit2", pkgConfig: "libgit2",
      providers: [.apt(["libgit2-dev"])]),
    .systemLibrary(
      name: "CCurl", path: "Sources/SystemLibraries/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "CPicture", path: "Sources/SystemLibraries/CPicture",
      linkerSettings: [.linkedLibrary("png16")]),
    .target(
      name: "CSQLite", path: "Sources/SystemLibraries/CSQLite",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    // Tests
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(
      name: "CXattrTests", dependencies: ["CXattr", "TestSupport"], path: "Tests/System/CXattrTests"
    ),
    .testTarget(
      name: "LinuxSystemTests", dependencies: ["LinuxSystem", "TestSupport"],
      path: "Tests/System/LinuxSystemTests"),
    .testTarget(
      name: "XattrTests", dependencies: ["LinuxSystem", "TestSupport", "Xattr"],
      path: "Tests/System/XattrTests"),
    .executableTarget(
      name: "TreeVisitor", dependencies: ["FileTree", "LinuxSystem"],
      path: "Tests/System/TreeVisitor",
      swiftSettings: strict),
    .testTarget(
      name: "FileTreeTests",
      dependencies: ["FileTree", "LinuxSystem", "TestSupport", "TreeVisitor", "Xattr"],
      path: "Tests/System/FileTreeTests"),
    .testTarget(
      name: "CompanionProtocolTests",
      dependencies: ["CompanionProtocol", "ForeignFormats", "LinuxSystem"],
      path: "Tests/Formats/CompanionProtocolTests"),
    .testTarget(
      name: "ForeignFormatsTests", dependencies: ["ForeignFormats", "TestSupport"],
      path: "Tests/Formats/ForeignFormatsTests"),
    .testTarget(
      name: "BrowserHistoryTests",
      dependencies: [
        "BrowserHistory", "DatabaseSnapshot", "ForeignFormats", "LinuxSystem", "TestSupport",
      ],
      path: "Tests/Formats/BrowserHistoryTests"),
    .testTarget(
      name: "DesktopHistoryTests",
      dependencies: [
        "DatabaseSnapshot", "DesktopHistory", "ForeignFormats", "LinuxSystem", "TestSupport",
      ],
      path: "Tests/Formats/DesktopHistoryTests"),
    .testTarget(
      name: "PackageDatabasesTests",
      dependencies: ["DatabaseSnapshot", "ForeignFormats", "PackageDatabases", "TestSupport"],
      path: "Tests/Formats/PackageDatabasesTests"),
    .testTarget(
      name: "EmbeddedMetadataTests",
      dependencies: ["EmbeddedMetadata", "ForeignFormats", "TestSupport"],
      path: "Tests/Formats/EmbeddedMetadataTests"),
    .testTarget(
      name: "GitIndexTests", dependencies: ["GitIndex", "TestSupport"],
      path: "Tests/Formats/GitIndexTests"),
    .testTarget(
      name: "XMLFormatsTests",
      dependencies: ["ForeignFormats", "LinuxSystem", "TestSupport", "XMLFormats"],
      path: "Tests/Formats/XMLFormatsTests"),
    .testTarget(
      name: "JSONPropertyListTests", dependencies: ["BinaryPropertyList", "JSONPropertyList"],
      path: "Tests/Formats/JSONPropertyListTests"),
    .testTarget(
      name: "PropertyListTextTests",
      dependencies: [
        "BinaryPropertyList", "JSONPropertyList", "LinuxSystem", "PropertyListText", "TextFormats",
      ],
      path: "Tests/Formats/PropertyListTextTests"),
    .testTarget(
      name: "TextFormatsTests", dependencies: ["TestSupport", "TextFormats"],
      path: "Tests/Formats/TextFormatsTests"),
    .testTarget(
      name: "BinaryPropertyListTests", dependencies: ["BinaryPropertyList", "TestSupport"],
      path: "Tests/Formats/BinaryPropertyListTests"),
    .testTarget(
      name: "BinaryPropertyListCodersTests",
      dependencies: ["BinaryPropertyList", "BinaryPropertyListCoders", "TestSupport"],
      path: "Tests/Formats/BinaryPropertyListCodersTests"),
    .executableTarget(
      name: "CacheVisitor", dependencies: ["AppIcon", "LinuxSystem"],
      path: "Tests/Model/CacheVisitor",
      swiftSettings: strict),
    .testTarget(
      name: "AppIconTests",
      dependencies: [
        "AppIcon", "CacheVisitor", "LinuxSystem", "TestSupport", "TextFormats", "Xattr",
      ],
      path: "Tests/Model/AppIconTests"),
    .testTarget(
      name: "ApplicationsTests",
      dependencies: [
        "Applications", "BinaryPropertyList", "ForeignFormats", "LinuxSystem", "TestSupport",
        "TextFormats", "Xattr",
      ],
      path: "Tests/Model/ApplicationsTests"),
    .testTarget(
      name: "WatchingTests",
      dependencies: [
        "Applications", "CLinux", "CompanionProtocol", "DocumentSource", "FileTree",
        "ForeignFormats", "LinuxSystem", "TestSupport", "TextFormats", "Watching", "Xattr",
      ],
      path: "Tests/Model/WatchingTests"),
    .testTarget(
      name: "WitnessTests",
      dependencies: [
        "BinaryPropertyList", "CLinux", "LinuxSystem", "TestSupport", "Witness", "Xattr",
      ],
      path: "Tests/Model/WitnessTests"),
    .testTarget(
      name: "DocumentSourceTests",
      dependencies: [
        "BinaryPropertyList", "DocumentSource", "LinuxSystem", "TestSupport", "Xattr",
      ],
      path: "Tests/Model/DocumentSourceTests"),
    .testTarget(
      name: "ProvenanceTests",
      dependencies: [
        "BinaryPropertyList", "DocumentSource", "ForeignFormats", "LinuxSystem", "Provenance",
        "ShareItem", "TestSupport", "Witness", "Xattr",
      ],
      path: "Tests/Model/ProvenanceTests"),
    .testTarget(
      name: "ShareItemTests",
      dependencies: ["BinaryPropertyList", "ShareItem", "TestSupport", "TextFormats"],
      path: "Tests/Model/ShareItemTests"),
    .testTarget(
      name: "HandoffTests",
      dependencies: [
        "Applications", "BinaryPropertyList", "CompanionProtocol", "Handoff", "JSONPropertyList",
        "LinuxSystem", "PropertyListText", "ShareItem", "TestSupport", "TextFormats",
      ],
      path: "Tests/Model/HandoffTests"),
    .testTarget(
      name: "ManifestTests",
      dependencies: ["DocumentSource", "JSON", "LinuxSystem", "Manifest", "TestSupport", "Xattr"],
      path: "Tests/Model/ManifestTests"),
    .testTarget(
      name: "UniformTypeTests",
      dependencies: ["BinaryPropertyList", "TestSupport", "TextFormats", "UniformType"],
      path: "Tests/Model/UniformTypeTests"),
    .testTarget(
      name: "ActivationRuleTests",
      dependencies: ["ActivationRule", "BinaryPropertyList", "TestSupport", "UniformType"],
      path: "Tests/Model/ActivationRuleTests"),
    .testTarget(
      name: "docsourceTests",
      dependencies: [
        "AppIcon", "BinaryPropertyList", "docsource", "docsource-archive", "docsource-fetch",
        "docsource-share", "docsource-xml", "LinuxSystem", "TestSupport", "Xattr",
      ], path: "Tests/Programs/docsourceTests"),
    .executableTarget(
      name: "PictureProbe",
      dependencies: ["AppIcon", "CommandLineInterface", "IconFetch", "LinuxSystem"],
      path: "Tests/Programs/PictureProbe", swiftSettings: strict),
    .testTarget(
      name: "IconFetchTests",
      dependencies: [
        "AppIcon", "CCurl", "docsource-fetch", "IconFetch", "LinuxSystem", "PictureProbe",
        "TestSupport", "Xattr",
      ], path: "Tests/Programs/IconFetchTests"),
    .testTarget(
      name: "InstalledPackagesTests",
      dependencies: ["ForeignFormats", "InstalledPackages", "LinuxSystem", "TestSupport"],
      path: "Tests/Programs/InstalledPackagesTests"),
    .testTarget(
      name: "RepositoriesTests",
      dependencies: ["ForeignFormats", "LinuxSystem", "Repositories", "TestSupport"],
      path: "Tests/Programs/RepositoriesTests"),
    .testTarget(
      name: "CommandLineInterfaceTests",
      dependencies: ["CommandLineInterface", "LinuxSystem", "TestSupport"],
      path: "Tests/Programs/CommandLineInterfaceTests"),
    .testTarget(
      name: "DocumentSourceCTests", dependencies: ["docsource", "TestSupport"],
      path: "Tests/CLibrary/DocumentSourceCTests"),
  ],
  swiftLanguageModes: [.v6]
)

// What links with other mains or libraries, and is no part of the main build: `make fuzz` and
// `make bench` ask for it. It is in this package because it uses targets that are no products.
if Context.environment["DOCSOURCE_FUZZERS"] != nil {
  /// A libFuzzer executable for a parser. Its `main` is libFuzzer's: it links only with
  /// `--sanitize=fuzzer`, with which nothing that has a `main` of its own does.
  func fuzzer(_ name: String, of parser: Target.Dependency...) -> Target {
    .executableTarget(
      name: name, dependencies: parser + ["FuzzInput"], path: "Tests/Fuzz/\(name)",
      swiftSettings: strict)
  }
  package.products = []
  package.targets.removeAll { [.executable, .test].contains($0.type) }
  package.targets += [
    .target(
      name: "FuzzInput",
      dependencies: ["BinaryPropertyList", "ForeignFormats", "LinuxSystem", "Manifest", "Xattr"],
      path: "Tests/Fuzz/FuzzInput", swiftSettings: strict),
    fuzzer("FuzzReader", of: "BinaryPropertyList"),
    fuzzer("FuzzLookup", of: "BinaryPropertyList"),
    fuzzer("FuzzRoundTrip", of: "BinaryPropertyList"),
    fuzzer("FuzzDifference", of: "BinaryPropertyList"),
    fuzzer("FuzzJSONPropertyList", of: "BinaryPropertyList", "JSONPropertyList"),
    fuzzer("FuzzXMLPropertyList", of: "BinaryPropertyList", "PropertyListText"),
    fuzzer("FuzzPicture", of: "IconFetch", "AppIcon"),
    fuzzer("FuzzPictureHeader", of: "IconFetch"),
    fuzzer("FuzzAppInfo", of: "AppIcon"),
    fuzzer("FuzzHeaderFields", of: "AppIcon", "TextFormats"),
    fuzzer("FuzzCacheEntry", of: "AppIcon"),
    fuzzer("FuzzApplications", of: "Applications", "LinuxSystem"),
    fuzzer("FuzzComponent", of: "ForeignFormats", "XMLFormats"),
    fuzzer("FuzzManifest", of: "Manifest"),
    fuzzer("FuzzDump", of: "Manifest"),
    fuzzer("FuzzAppleDouble", of: "ForeignFormats"),
    fuzzer("FuzzQuarantine", of: "ForeignFormats"),
    fuzzer("FuzzZoneIdentifier", of: "ForeignFormats"),
    fuzzer("FuzzRecentFiles", of: "ForeignFormats", "XMLFormats", "LinuxSystem"),
    fuzzer(
      "FuzzBrowserHistory", of: "BrowserHistory", "DatabaseSnapshot", "ForeignFormats",
      "LinuxSystem"),
    fuzzer(
      "FuzzDesktopHistory", of: "DatabaseSnapshot", "DesktopHistory", "ForeignFormats",
      "LinuxSystem"),
    fuzzer("FuzzPackages", of: "ForeignFormats", "PackageDatabases"),
    fuzzer("FuzzGitIndex", of: "GitIndex"),
    fuzzer(
      "FuzzDownloadLog", of: "BrowserHistory", "DatabaseSnapshot", "ForeignFormats",
      "LinuxSystem"),
    fuzzer("FuzzPortalDocuments", of: "ForeignFormats"),
    fuzzer(
      "FuzzExifToolAnswer", of: "CompanionProtocol", "EmbeddedMetadata", "ForeignFormats"),
    fuzzer("FuzzMark", of: "Provenance", "ForeignFormats", "LinuxSystem", "Xattr"),
    fuzzer("FuzzWitnessRecord", of: "Witness"),
    fuzzer("FuzzShareItem", of: "ShareItem", "BinaryPropertyList", "TextFormats"),
    fuzzer("FuzzAttributedLink", of: "ShareItem"),
    fuzzer("FuzzShareTarget", of: "Applications", "Handoff", "ShareItem", "LinuxSystem"),
    fuzzer(
      "FuzzIntentCatalogue", of: "Handoff", "BinaryPropertyList", "JSONPropertyList",
      "PropertyListText"),
    fuzzer("FuzzDefaultApplications", of: "Applications"),
    fuzzer("FuzzArchive", of: "Archive", "ForeignFormats", "Xattr"),
    fuzzer("FuzzPredicate", of: "ActivationRule", "BinaryPropertyList"),
    fuzzer("FuzzActivationRule", of: "ActivationRule", "BinaryPropertyList", "UniformType"),
    fuzzer("FuzzArchivedAttributes", of: "BinaryPropertyList", "ForeignFormats", "Xattr"),
  ]
}

if Context.environment["DOCSOURCE_BENCHMARKS"] != nil {
  let optimized: [CSetting] = [.unsafeFlags(["-O2"])]
  package.targets += [
    .systemLibrary(
      name: "CPeerPNG", path: "Tests/Benchmarks/Icons/CPeerPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"])]),
    .target(
      name: "CIconPeer", dependencies: ["CPeerPNG"], path: "Tests/Benchmarks/Icons/CIconPeer",
      cSettings: optimized),
    .target(name: "CPinning", path: "Tests/Benchmarks/PropertyLists/CPinning"),
    .executableTarget(
      name: "IconBenchmark", dependencies: ["AppIcon", "CIconPeer", "CPinning", "IconFetch"],
      path: "Tests/Benchmarks/Icons/IconBenchmark"),
    .target(
      name: "CTreePeer", path: "Tests/Benchmarks/TreeWalk/CTreePeer", cSettings: optimized),
    .executableTarget(
      name: "TreeBenchmark", dependencies: ["CTreePeer", "FileTree", "LinuxSystem", "Xattr"],
      path: "Tests/Benchmarks/TreeWalk/TreeBenchmark"),
    .executableTarget(
      name: "TreeTagPeer", path: "Tests/Benchmarks/TreeTag/TreeTagPeer", cSettings: optimized),
    .executableTarget(
      name: "WatchPeer", path: "Tests/Benchmarks/TreeTag/WatchPeer", cSettings: optimized),
    .systemLibrary(
      name: "CPlist", path: "Tests/Benchmarks/PropertyLists/CPlist", pkgConfig: "libplist-2.0",
      providers: [.apt(["libplist-dev"])]),
    .target(name: "CFloor", path: "Tests/Benchmarks/PropertyLists/CFloor"),
    .executableTarget(
      name: "PropertyListBenchmark",
      dependencies: [
        "BinaryPropertyList", "BinaryPropertyListCoders", "CFloor", "CPinning", "CPlist",
        "DocumentSource", "ShareItem",
      ], path: "Tests/Benchmarks/PropertyLists/PropertyListBenchmark"),
    .executableTarget(
      name: "RuleBenchmark",
      dependencies: ["ActivationRule", "BinaryPropertyList", "CPinning", "UniformType"],
      path: "Tests/Benchmarks/Rules/RuleBenchmark"),
  ]
}
