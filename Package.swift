// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"]),
        .library(name: "TransformableCommands", targets: ["TransformableCommands"]),
        .executable(name: "transformable", targets: ["transformable"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        .target(name: "Transformable"),
        .testTarget(name: "TransformableTests", dependencies: ["Transformable"]),
        .target(
            name: "TransformableCommands",
            dependencies: [
                "Transformable",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(name: "transformable", dependencies: ["Transformable", "TransformableCommands"]),
        .testTarget(
            name: "TransformableCommandsTests",
            dependencies: ["Transformable", "TransformableCommands", "transformable"]
        ),
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
