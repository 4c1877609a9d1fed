// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"]),
        .library(name: "TransformableStore", targets: ["TransformableStore"]),
        .library(name: "TransformableTesting", targets: ["TransformableTesting"]),
        .library(name: "EncryptionPlugin", targets: ["EncryptionPlugin"]),
        .library(name: "GeometryPlugin", targets: ["GeometryPlugin"]),
        .library(name: "_HostileInputs", targets: ["_HostileInputs"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
    ],
    targets: [
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),

        .target(name: "Transformable"),
        .target(
            name: "TransformableStore",
            dependencies: [
                "Transformable",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: [.strictMemorySafety()]
        ),

        // What the law kit and the fuzzer share: damaged inputs, and child processes to try them in.
        .target(name: "_HostileInputs", swiftSettings: [.strictMemorySafety()]),
        .target(name: "TransformableTesting", dependencies: ["Transformable", "_HostileInputs"]),

        .target(
            name: "EncryptionPlugin",
            dependencies: ["CSodium", "Transformable"],
            path: "Plugins/EncryptionPlugin",
            swiftSettings: [.strictMemorySafety()]
        ),
        .target(name: "GeometryPlugin", dependencies: ["Transformable"], path: "Plugins/GeometryPlugin"),

        .testTarget(name: "TransformableTests", dependencies: ["Transformable"]),
        .testTarget(name: "TransformableStoreTests", dependencies: ["TransformableStore", "Transformable"]),
        .testTarget(
            name: "TransformableTestingTests",
            dependencies: ["Transformable", "TransformableTesting", "_HostileInputs"]
        ),
        .testTarget(
            name: "EncryptionPluginTests",
            dependencies: ["EncryptionPlugin", "Transformable", "TransformableTesting"],
            resources: [.copy("Vectors")]
        ),
        .testTarget(name: "GeometryPluginTests", dependencies: ["GeometryPlugin", "Transformable"]),
        .testTarget(name: "DocumentationTests", dependencies: ["EncryptionPlugin", "GeometryPlugin", "Transformable"]),
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
