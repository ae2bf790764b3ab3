// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let propertyLists: Target.Dependency = .product(
  name: "BinaryPropertyList", package: "docsource")
let applications: Target.Dependency = .product(name: "Applications", package: "docsource")
let linux: Target.Dependency = .product(name: "LinuxSystem", package: "docsource")
let texts: Target.Dependency = .product(name: "TextFormats", package: "docsource")
let xattr: Target.Dependency = .product(name: "Xattr", package: "docsource")
let appIcon: Target.Dependency = .product(name: "AppIcon", package: "docsource")
let manifests: Target.Dependency = .product(name: "Manifest", package: "docsource")
let provenance: Target.Dependency = .product(name: "Provenance", package: "docsource")
let shareItems: Target.Dependency = .product(name: "ShareItem", package: "docsource")
let handoff: Target.Dependency = .product(name: "Handoff", package: "docsource")
let foreign: Target.Dependency = .product(name: "ForeignFormats", package: "docsource")
let listTexts: Target.Dependency = .product(name: "PropertyListText", package: "docsource")
let rules: Target.Dependency = .product(name: "ActivationRule", package: "docsource")
let types: Target.Dependency = .product(name: "UniformType", package: "docsource")
let xml: Target.Dependency = .product(name: "XMLFormats", package: "docsource")
let archives: Target.Dependency = .product(name: "Archive", package: "docsource")
let pictures: Target.Dependency = .product(name: "IconFetch", package: "docsource")

/// A libFuzzer executable for a parser.
func fuzzer(_ name: String, of parser: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: parser + ["FuzzInput"], swiftSettings: strict)
}

// A package of its own, so that sanitizers never enter the main build. An executable's `main` is
// libFuzzer's: it links only with `--sanitize=fuzzer`.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "docsource", path: "../..")],
  targets: [
    .target(
      name: "FuzzInput", dependencies: [foreign, linux, manifests, propertyLists, xattr],
      swiftSettings: strict),
    fuzzer("FuzzReader", of: propertyLists),
    fuzzer("FuzzLookup", of: propertyLists),
    fuzzer("FuzzRoundTrip", of: propertyLists),
    fuzzer("FuzzDifference", of: propertyLists),
    fuzzer("FuzzJSONPropertyList", of: propertyLists, listTexts),
    fuzzer("FuzzXMLPropertyList", of: propertyLists, listTexts, xml),
    fuzzer("FuzzPicture", of: pictures, appIcon),
    fuzzer("FuzzPictureHeader", of: pictures),
    fuzzer("FuzzAppInfo", of: appIcon),
    fuzzer("FuzzHeaderFields", of: appIcon, texts),
    fuzzer("FuzzCacheEntry", of: appIcon),
    fuzzer("FuzzApplications", of: applications, linux),
    fuzzer("FuzzComponent", of: foreign, xml),
    fuzzer("FuzzManifest", of: manifests),
    fuzzer("FuzzDump", of: manifests),
    fuzzer("FuzzAppleDouble", of: foreign),
    fuzzer("FuzzQuarantine", of: foreign),
    fuzzer("FuzzZoneIdentifier", of: foreign),
    fuzzer("FuzzRecentFiles", of: foreign, xml, linux),
    fuzzer("FuzzMark", of: provenance, foreign, linux, xattr),
    fuzzer("FuzzShareItem", of: shareItems, propertyLists, texts),
    fuzzer("FuzzAttributedLink", of: shareItems),
    fuzzer("FuzzShareTarget", of: applications, handoff, shareItems, linux),
    fuzzer("FuzzIntentCatalogue", of: handoff, propertyLists, listTexts, xml),
    fuzzer("FuzzDefaultApplications", of: applications),
    fuzzer("FuzzArchive", of: archives, foreign, xattr),
    fuzzer("FuzzPredicate", of: rules, propertyLists),
    fuzzer("FuzzActivationRule", of: rules, propertyLists, types),
    fuzzer("FuzzArchivedAttributes", of: propertyLists, foreign, xattr),
  ],
  swiftLanguageModes: [.v6]
)
