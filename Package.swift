// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"]),
        .library(name: "TransformableStore", targets: ["TransformableStore"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
    ],
    targets: [
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
        .testTarget(name: "TransformableTests", dependencies: ["Transformable"]),
        .testTarget(name: "TransformableStoreTests", dependencies: ["TransformableStore", "Transformable"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where ![.system, .macro].contains(target.type) {
    var settings = target.swiftSettings ?? []
    settings += [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatWarning("ExplicitSendable", as: .warning),
    ]
    target.swiftSettings = settings
}
