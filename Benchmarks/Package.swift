// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library never resolve what only the comparison needs.
let package = Package(
    name: "transformable-benchmarks",
    dependencies: [
        .package(name: "transformable", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "CPeers",
            linkerSettings: ["jpeg", "png", "pq", "sodium", "sqlite3", "webp", "z"].map { .linkedLibrary($0) }
        ),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CPeers",
                .product(name: "EncryptionPlugin", package: "transformable"),
                .product(name: "GeometryPlugin", package: "transformable"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ImagePlugin", package: "transformable"),
                .product(name: "KeyedArchivePlugin", package: "transformable"),
                .product(name: "StandardPlugin", package: "transformable"),
                .product(name: "Transformable", package: "transformable"),
                .product(name: "TransformableEntities", package: "transformable"),
                .product(name: "TransformablePostgres", package: "transformable"),
                .product(name: "TransformableSQLite", package: "transformable"),
                .product(name: "TransformableStore", package: "transformable"),
                .product(name: "WebPPlugin", package: "transformable"),
                .product(name: "_HostileInputs", package: "transformable"),
                .product(name: "_PostgresServer", package: "transformable"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type == .executable {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
