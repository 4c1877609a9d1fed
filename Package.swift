// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"]),
        .library(name: "KeyedArchivePlugin", targets: ["KeyedArchivePlugin"]),
    ],
    targets: [
        .target(name: "Transformable"),
        .target(name: "KeyedArchivePlugin", dependencies: ["Transformable"], path: "Plugins/KeyedArchivePlugin"),
        .testTarget(name: "TransformableTests", dependencies: ["Transformable"]),
        .testTarget(name: "KeyedArchivePluginTests", dependencies: ["KeyedArchivePlugin", "Transformable"]),
        .testTarget(name: "DocumentationTests", dependencies: ["KeyedArchivePlugin", "Transformable"]),
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
