// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
    name: "transformable",
    products: [
        .library(name: "Transformable", targets: ["Transformable"]),
        .library(name: "TransformableImages", targets: ["TransformableImages"]),
        .library(name: "TransformableModel", targets: ["TransformableModel"]),
        .library(name: "TransformableStore", targets: ["TransformableStore"]),
        .library(name: "TransformableSQLite", targets: ["TransformableSQLite"]),
        .library(name: "TransformablePostgres", targets: ["TransformablePostgres"]),
        .library(name: "TransformableEntities", targets: ["TransformableEntities"]),
        .library(name: "TransformablePostgresEntities", targets: ["TransformablePostgresEntities"]),
        .library(name: "TransformableCoreData", targets: ["TransformableCoreData"]),
        .library(name: "TransformableCoreDataModel", targets: ["TransformableCoreDataModel"]),
        .library(name: "TransformableTesting", targets: ["TransformableTesting"]),
        .library(name: "TransformableCommands", targets: ["TransformableCommands"]),
        .library(name: "TransformableKeyCommands", targets: ["TransformableKeyCommands"]),
        .library(name: "TransformablePostgresCommands", targets: ["TransformablePostgresCommands"]),
        .library(name: "EncryptionPlugin", targets: ["EncryptionPlugin"]),
        .library(name: "GeometryPlugin", targets: ["GeometryPlugin"]),
        .library(name: "ImagePlugin", targets: ["ImagePlugin"]),
        .library(name: "KeyedArchivePlugin", targets: ["KeyedArchivePlugin"]),
        .library(name: "ObjectArchivePlugin", targets: ["ObjectArchivePlugin"]),
        .library(name: "StandardPlugin", targets: ["StandardPlugin"]),
        .library(name: "WebPPlugin", targets: ["WebPPlugin"]),
        // For the fuzzer and the benchmarks, packages of their own; no part of the public API.
        .library(name: "_HostileInputs", targets: ["_HostileInputs"]),
        .library(name: "_PostgresServer", targets: ["_PostgresServer"]),
        .executable(name: "transformable", targets: ["transformable"]),
        .plugin(name: "TransformableModelPlugin", targets: ["TransformableModelPlugin"]),
        .plugin(name: "GenerateModelCommand", targets: ["GenerateModelCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(name: "CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(name: "CBLAKE2"),
        .target(name: "CJPEGShims", dependencies: ["CJPEG"]),
        .target(name: "CLCMSShims", dependencies: ["CLCMS"]),
        .target(name: "CPNGShims", dependencies: ["CDeflate", "CPNG", "CZlib"]),
        .target(name: "CWebPShims", dependencies: ["CWebP"]),

        .target(name: "Transformable"),
        .target(name: "TransformableModel", dependencies: ["Transformable"]),
        .target(
            name: "TransformableStore",
            dependencies: [
                "CBLAKE2",
                "Transformable",
                "TransformableModel",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [.strictMemorySafety()]
        ),
        .target(
            name: "TransformableSQLite",
            dependencies: [
                "Transformable",
                "TransformableModel",
                "TransformableStore",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: [.strictMemorySafety()]
        ),

        .target(
            name: "TransformablePostgres",
            dependencies: [
                "CPostgres", "Transformable", "TransformableModel", "TransformableSQLite", "TransformableStore",
            ],
            swiftSettings: [.strictMemorySafety()]
        ),

        // A server for tests of stores in PostgreSQL.
        .target(name: "_PostgresServer", dependencies: ["TransformablePostgres"]),

        // Property lists, for the plugins that read and write them.
        .target(name: "_PropertyLists", dependencies: ["Transformable"]),

        // Images and their metadata, for the plugins that read and write files.
        .target(
            name: "TransformableImages",
            dependencies: ["Transformable"],
            swiftSettings: [.strictMemorySafety()]
        ),

        .macro(
            name: "TransformableMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ]
        ),
        .target(
            name: "TransformableEntities",
            dependencies: ["Transformable", "TransformableMacros", "TransformableSQLite", "TransformableStore"],
            swiftSettings: [.strictMemorySafety()]
        ),

        // Apart from both, so that neither needs the other: macros and libpq.
        .target(
            name: "TransformablePostgresEntities",
            dependencies: ["Transformable", "TransformableEntities", "TransformablePostgres", "TransformableStore"]
        ),

        // What the law kit and the fuzzer share: damaged inputs, and child processes to try them in.
        .target(name: "_HostileInputs", swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "TransformableTesting",
            dependencies: ["Transformable", "TransformableSQLite", "TransformableStore", "_HostileInputs"]
        ),

        .target(
            name: "EncryptionPlugin",
            dependencies: ["CSodium", "Transformable"],
            path: "Plugins/EncryptionPlugin",
            swiftSettings: [.strictMemorySafety()]
        ),
        .target(name: "GeometryPlugin", dependencies: ["Transformable"], path: "Plugins/GeometryPlugin"),
        .target(
            name: "ImagePlugin",
            dependencies: ["CJPEGShims", "CLCMSShims", "CPNGShims", "Transformable", "TransformableImages"],
            path: "Plugins/ImagePlugin",
            swiftSettings: [.strictMemorySafety()]
        ),
        .target(
            name: "KeyedArchivePlugin",
            dependencies: ["Transformable", "_PropertyLists"],
            path: "Plugins/KeyedArchivePlugin"
        ),
        .target(
            name: "ObjectArchivePlugin",
            dependencies: ["KeyedArchivePlugin", "Transformable", "_PropertyLists"],
            path: "Plugins/ObjectArchivePlugin"
        ),
        .target(
            name: "StandardPlugin",
            dependencies: ["CDeflate", "CZlib", "Transformable", "_PropertyLists"],
            path: "Plugins/StandardPlugin",
            swiftSettings: [.strictMemorySafety()]
        ),

        // Apart from the stores, so that the program of the build plugin contains no database.
        .target(
            name: "TransformableCoreDataModel",
            dependencies: ["CDeflate", "Transformable", "TransformableModel", "_PropertyLists"],
            swiftSettings: [.strictMemorySafety()]
        ),
        .target(
            name: "TransformableCoreData",
            dependencies: [
                "Transformable",
                "TransformableCoreDataModel",
                "TransformableModel",
                "TransformableSQLite",
                "TransformableStore",
                "_PropertyLists",
            ],
            swiftSettings: [.strictMemorySafety()]
        ),
        .target(
            name: "WebPPlugin",
            dependencies: ["CWebPShims", "Transformable", "TransformableImages"],
            path: "Plugins/WebPPlugin",
            swiftSettings: [.strictMemorySafety()]
        ),

        // What the build plugin runs: a program without a database and the libraries of transformers.
        .executableTarget(name: "ModelGenerator", dependencies: ["TransformableCoreDataModel"]),
        .plugin(
            name: "TransformableModelPlugin",
            capability: .buildTool(),
            dependencies: ["ModelGenerator"]
        ),
        .plugin(
            name: "GenerateModelCommand",
            capability: .command(
                intent: .custom(verb: "generate-model", description: "Generate the classes of models."),
                permissions: [.writeToPackageDirectory(reason: "Writes the classes of the models in its targets.")]
            ),
            dependencies: ["ModelGenerator"]
        ),

        .target(
            name: "TransformableCommands",
            dependencies: [
                "Transformable",
                "TransformableCoreData",
                "TransformableModel",
                "TransformableSQLite",
                "TransformableStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // The commands for key files, apart from the others, so that a program without keys links no libsodium.
        .target(
            name: "TransformableKeyCommands",
            dependencies: [
                "EncryptionPlugin",
                "Transformable",
                "TransformableCommands",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // The same for PostgreSQL and libpq.
        .target(
            name: "TransformablePostgresCommands",
            dependencies: ["Transformable", "TransformableCommands", "TransformablePostgres", "TransformableStore"]
        ),
        .executableTarget(
            name: "transformable",
            dependencies: [
                "EncryptionPlugin",
                "GeometryPlugin",
                "ImagePlugin",
                "KeyedArchivePlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableCommands",
                "TransformableKeyCommands",
                "TransformablePostgresCommands",
                "WebPPlugin",
            ]
        ),

        .testTarget(
            name: "TransformableTests",
            dependencies: ["Transformable", "_HostileInputs"],
            resources: [.copy("Vectors")]
        ),
        .testTarget(name: "TransformableModelTests", dependencies: ["Transformable", "TransformableModel"]),
        .testTarget(
            name: "TransformableStoreTests",
            dependencies: [
                "EncryptionPlugin",
                "GeometryPlugin",
                "KeyedArchivePlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableSQLite",
                "TransformableStore",
                "TransformablePostgres",
                "_HostileInputs",
                "_PostgresServer",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "TransformablePostgresTests",
            dependencies: [
                "EncryptionPlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableCommands",
                "TransformableModel",
                "TransformablePostgres",
                "TransformablePostgresCommands",
                "TransformableSQLite",
                "TransformableStore",
                "_PostgresServer",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "TransformableEntitiesTests",
            dependencies: [
                "EncryptionPlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableEntities",
                "TransformableSQLite",
                "TransformableStore",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "TransformablePostgresEntitiesTests",
            dependencies: [
                "EncryptionPlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableEntities",
                "TransformablePostgresEntities",
                "_PostgresServer",
            ]
        ),
        .testTarget(
            name: "TransformableCoreDataTests",
            dependencies: [
                "KeyedArchivePlugin",
                "Transformable",
                "TransformableCoreData",
                "TransformableModel",
                "TransformableSQLite",
                "TransformableStore",
                "_HostileInputs",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "GeneratedCodeTests",
            dependencies: [
                "EncryptionPlugin",
                "GeometryPlugin",
                "ImagePlugin",
                "KeyedArchivePlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableCoreData",
                "TransformableEntities",
                "TransformableModel",
                "TransformableSQLite",
                "TransformableStore",
                "WebPPlugin",
            ],
            plugins: ["TransformableModelPlugin"]
        ),
        .testTarget(
            name: "TransformableTestingTests",
            dependencies: [
                "Transformable", "TransformableSQLite", "TransformableStore", "TransformableTesting", "_HostileInputs",
            ]
        ),
        .testTarget(
            name: "EncryptionPluginTests",
            dependencies: ["EncryptionPlugin", "Transformable", "TransformableTesting"],
            resources: [.copy("Vectors")]
        ),
        .testTarget(
            name: "GeometryPluginTests",
            dependencies: ["GeometryPlugin", "Transformable", "TransformableTesting", "_HostileInputs"]
        ),
        .testTarget(
            name: "ImagePluginTests",
            dependencies: ["ImagePlugin", "Transformable", "TransformableTesting", "_HostileInputs"],
            exclude: ["Peer"]
        ),
        .testTarget(
            name: "KeyedArchivePluginTests",
            dependencies: ["KeyedArchivePlugin", "Transformable", "TransformableTesting", "_HostileInputs"],
            exclude: ["Peer"]
        ),
        .testTarget(
            name: "ObjectArchivePluginTests",
            dependencies: [
                "KeyedArchivePlugin", "ObjectArchivePlugin", "Transformable", "TransformableTesting", "_HostileInputs",
                "_PropertyLists",
            ]
        ),
        .testTarget(
            name: "StandardPluginTests",
            dependencies: ["StandardPlugin", "Transformable", "TransformableTesting", "_HostileInputs"]
        ),
        .testTarget(
            name: "WebPPluginTests",
            dependencies: ["ImagePlugin", "Transformable", "TransformableTesting", "WebPPlugin", "_HostileInputs"]
        ),
        .testTarget(
            name: "TransformableCommandsTests",
            dependencies: [
                "EncryptionPlugin",
                "GeometryPlugin",
                "ImagePlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableCommands",
                "TransformableKeyCommands",
                "TransformableSQLite",
                "TransformableStore",
                "_HostileInputs",
                "transformable",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "PluginLawTests",
            dependencies: [
                "EncryptionPlugin",
                "GeometryPlugin",
                "ImagePlugin",
                "KeyedArchivePlugin",
                "ObjectArchivePlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableTesting",
                "WebPPlugin",
            ]
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "EncryptionPlugin",
                "GeometryPlugin",
                "ImagePlugin",
                "KeyedArchivePlugin",
                "ObjectArchivePlugin",
                "StandardPlugin",
                "Transformable",
                "TransformableCommands",
                "TransformableCoreData",
                "TransformableEntities",
                "TransformableKeyCommands",
                "TransformableModel",
                "TransformablePostgres",
                "TransformablePostgresCommands",
                "TransformablePostgresEntities",
                "TransformableSQLite",
                "TransformableStore",
                "TransformableTesting",
                "WebPPlugin",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The tests of the macros run by themselves: `make test` runs both. A test target that depends on a macro would have
// every test of the package, and all that it tests, built a second time for the host.
if Context.environment["TRANSFORMABLE_MACRO_TESTS"] != nil {
    package.products = []
    package.targets =
        package.targets.filter { $0.type == .macro } + [
            .testTarget(
                name: "TransformableMacrosTests",
                dependencies: [
                    "TransformableMacros",
                    .product(name: "SwiftSyntax", package: "swift-syntax"),
                    .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                    .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                    .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
                ]
            )
        ]
}

// Only `make docs` needs the documentation plugin: users of the library never resolve it.
if Context.environment["TRANSFORMABLE_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// Set by continuous integration: a warning in our own code fails the build.
let isStrict = Context.environment["TRANSFORMABLE_STRICT"] != nil

for target in package.targets where ![.system, .macro, .plugin].contains(target.type) {
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
