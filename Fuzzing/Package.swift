// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of the library never build the fuzzer.
let package = Package(
    name: "transformable-fuzzing",
    dependencies: [
        .package(name: "transformable", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "EncryptionPlugin", package: "transformable"),
                .product(name: "GeometryPlugin", package: "transformable"),
                .product(name: "ImagePlugin", package: "transformable"),
                .product(name: "KeyedArchivePlugin", package: "transformable"),
                .product(name: "ObjectArchivePlugin", package: "transformable"),
                .product(name: "StandardPlugin", package: "transformable"),
                .product(name: "Transformable", package: "transformable"),
                .product(name: "WebPPlugin", package: "transformable"),
                .product(name: "_HostileInputs", package: "transformable"),
            ]
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "fuzz",
                .product(name: "Transformable", package: "transformable"),
                .product(name: "_HostileInputs", package: "transformable"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
