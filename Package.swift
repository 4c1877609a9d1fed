// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"]),
        .library(name: "EncryptionPlugin", targets: ["EncryptionPlugin"]),
        .library(name: "GeometryPlugin", targets: ["GeometryPlugin"]),
        .library(name: "ImagePlugin", targets: ["ImagePlugin"]),
    ],
    targets: [
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev", "zlib1g-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),

        .target(name: "CJPEGShims", dependencies: ["CJPEG"]),
        // zlib is linked by name: a C target gets no linker flags from a module map.
        .target(name: "CPNGShims", dependencies: ["CPNG"], linkerSettings: [.linkedLibrary("z")]),

        .target(name: "Transformable"),

        .target(
            name: "EncryptionPlugin",
            dependencies: ["CSodium", "Transformable"],
            path: "Plugins/EncryptionPlugin",
            swiftSettings: [.strictMemorySafety()]
        ),
        .target(name: "GeometryPlugin", dependencies: ["Transformable"], path: "Plugins/GeometryPlugin"),
        .target(
            name: "ImagePlugin",
            dependencies: ["CJPEGShims", "CPNGShims", "Transformable"],
            path: "Plugins/ImagePlugin",
            swiftSettings: [.strictMemorySafety()]
        ),

        .testTarget(name: "TransformableTests", dependencies: ["Transformable"]),
        .testTarget(
            name: "EncryptionPluginTests",
            dependencies: ["EncryptionPlugin", "Transformable"],
            resources: [.copy("Vectors")]
        ),
        .testTarget(name: "GeometryPluginTests", dependencies: ["GeometryPlugin", "Transformable"]),
        .testTarget(name: "ImagePluginTests", dependencies: ["ImagePlugin", "Transformable"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["EncryptionPlugin", "GeometryPlugin", "ImagePlugin", "Transformable"]
        ),
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
