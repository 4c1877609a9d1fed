// swift-tools-version: 6.2
import PackageDescription

// Two ways to use generated classes: “Clinic” generates them in each build, and “Ledger” has them checked in.
let package = Package(
    name: "clinic-example",
    products: [
        .executable(name: "clinic", targets: ["Clinic"])
    ],
    dependencies: [
        // In your package: .package(url: "https://…/transformable", from: "1.0.0")
        .package(name: "transformable", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "Clinic",
            dependencies: [
                "Ledger",
                .product(name: "TransformableEntities", package: "transformable"),
            ],
            plugins: [.plugin(name: "TransformableModelPlugin", package: "transformable")]
        ),
        // swift package --allow-writing-to-package-directory generate-model --target Ledger
        .target(
            name: "Ledger",
            dependencies: [.product(name: "TransformableEntities", package: "transformable")],
            exclude: ["Ledger.transformable.json", "Ledger.map.json"]
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
        .treatAllWarnings(as: .error),
    ]
}
