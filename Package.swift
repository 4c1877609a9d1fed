// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"])
    ],
    targets: [
        .target(name: "Transformable"),
        .testTarget(name: "TransformableTests", dependencies: ["Transformable"]),
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
