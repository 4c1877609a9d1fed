// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"]),
        .library(name: "StandardPlugin", targets: ["StandardPlugin"]),
    ],
    targets: [
        .target(name: "Transformable"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "StandardPlugin",
            dependencies: ["Transformable", "CZlib"],
            path: "Plugins/StandardPlugin",
            swiftSettings: [.strictMemorySafety()]
        ),
        .testTarget(name: "TransformableTests", dependencies: ["Transformable"]),
        .testTarget(name: "StandardPluginTests", dependencies: ["StandardPlugin", "Transformable"]),
        .testTarget(name: "DocumentationTests", dependencies: ["Transformable"]),
    ],
    swiftLanguageModes: [.v6]
)

// Only `make docs` needs the documentation plugin: users of the library never resolve it.
if Context.environment["TRANSFORMABLE_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// Set by continuous integration: a warning in our own code fails the build.
let isStrict = Context.environment["TRANSFORMABLE_STRICT"] != nil

for target in package.targets where ![.system, .macro].contains(target.type) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("ImmutableWeakCaptures"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatWarning("ExplicitSendable", as: .warning),
        ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
    target.cSettings = (target.cSettings ?? []) + (isStrict ? [.treatAllWarnings(as: .error)] : [])
}
