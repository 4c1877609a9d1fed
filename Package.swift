// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"]),
        .library(name: "EncryptionPlugin", targets: ["EncryptionPlugin"]),
    ],
    targets: [
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "Transformable"),
        .target(
            name: "EncryptionPlugin",
            dependencies: ["CSodium", "Transformable"],
            path: "Plugins/EncryptionPlugin",
            swiftSettings: [.strictMemorySafety()]
        ),
        .testTarget(name: "TransformableTests", dependencies: ["Transformable"]),
        .testTarget(
            name: "EncryptionPluginTests",
            dependencies: ["EncryptionPlugin", "Transformable"],
            resources: [.copy("Vectors")]
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
