import Foundation
import Testing

/// Imports go one way, so that nobody builds what they do not use.
@Suite struct ImportDirectionTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    private static let platform: Set = ["Dispatch", "Foundation", "Glibc", "Musl", "Synchronization"]
    /// Modules of the toolchain that only tests and build plugins import.
    private static let tools: Set = ["FoundationNetworking", "PackagePlugin", "Testing"]

    /// A module and everything that it may import besides the platform's own modules.
    struct Module: CustomTestStringConvertible, Sendable {
        let path: String
        let imports: Set<String>

        init(_ path: String, _ imports: [String] = []) {
            self.path = path
            self.imports = Set(imports)
        }

        var testDescription: String { path }
    }

    private static let core = ["Transformable"]
    private static let store = ["Transformable", "TransformableModel", "TransformableStore"]
    private static let files = store + ["TransformableSQLite"]

    @Test(arguments: [
        Module("Sources/Transformable"),
        Module("Sources/TransformableImages", core),
        Module("Sources/TransformableModel", core),
        Module("Sources/TransformableStore", ["CBLAKE2", "Logging"] + store),
        Module("Sources/TransformableSQLite", ["GRDB", "GRDBSQLite"] + store),
        Module("Sources/TransformableEntities", files),
        // The program of the build plugin contains no database.
        Module("Sources/ModelGenerator", ["TransformableCoreDataModel"]),
        Module("Sources/TransformableCoreDataModel", ["CDeflate", "TransformableModel", "_PropertyLists"] + core),
        Module("Sources/TransformableCoreData", ["TransformableCoreDataModel", "_PropertyLists"] + files),
        Module("Sources/TransformablePostgres", ["CPostgres"] + files),
        Module("Sources/TransformableTesting", ["Testing", "_HostileInputs"] + files),
        Module("Sources/_PropertyLists", core),
        Module("Sources/_HostileInputs"),
        Module("Sources/_PostgresServer", ["TransformablePostgres"]),
        // The compiler plugin does not build the runtime.
        Module(
            "Sources/TransformableMacros",
            ["SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros"]
        ),
        Module("Plugins/EncryptionPlugin", ["CSodium"] + core),
        Module("Plugins/GeometryPlugin", core),
        Module("Plugins/ImagePlugin", ["CJPEGShims", "CLCMSShims", "CPNGShims", "TransformableImages"] + core),
        Module("Plugins/KeyedArchivePlugin", ["_PropertyLists"] + core),
        // Both write the same format.
        Module("Plugins/ObjectArchivePlugin", ["KeyedArchivePlugin", "_PropertyLists"] + core),
        Module("Plugins/StandardPlugin", ["CDeflate", "CZlib", "_PropertyLists"] + core),
        Module("Plugins/WebPPlugin", ["CWebPShims", "TransformableImages"] + core),
        // Neither the classes nor the engine need the other.
        Module("Sources/TransformablePostgresEntities", ["TransformableEntities", "TransformablePostgres"] + store),
        // A program without keys links no libsodium.
        Module("Sources/TransformableCommands", ["ArgumentParser", "TransformableCoreData"] + files),
        Module(
            "Sources/TransformableKeyCommands",
            ["ArgumentParser", "EncryptionPlugin", "TransformableCommands"] + core
        ),
        // The same for libpq.
        Module("Sources/TransformablePostgresCommands", ["TransformableCommands", "TransformablePostgres"] + store),
    ])
    func importsOnlyWhatItMay(module: Module) throws {
        let imports = try Self.imports(of: module.path)
        #expect(!imports.isEmpty)
        #expect(imports.subtracting(Self.platform).subtracting(module.imports) == [])
    }

    @Test func packageDeclaresEveryImport() throws {
        let dependencies = try Self.dependencies()
        #expect(dependencies["TransformableModel"] == ["Transformable"])
        var undeclared: [String: Set<String>] = [:]
        for target in try ["Sources", "Plugins", "Tests"].flatMap(Self.folders) {
            let imports = try Self.imports(of: target.path).subtracting(Self.platform).subtracting(Self.tools)
            let missing = imports.subtracting(dependencies[target.name] ?? [])
            if !missing.isEmpty { undeclared[target.name] = missing }
        }
        #expect(undeclared == [:])
    }

    @Test func readsEveryKindOfImport() {
        let source = """
            @_exported public import TransformableModel
            internal import struct Foundation.Data
              @testable import GRDB  // A reason.
            // import Logging
            let text = "import CSodium"
            let file = \"\"\"
                import CoreData
                \"\"\"
            """
        #expect(Self.imports(in: source) == ["Foundation", "GRDB", "TransformableModel"])
    }

    /// Returns the names of targets in a folder, with their paths.
    private static func folders(in folder: String) throws -> [(name: String, path: String)] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            .map { (name: $0, path: "\(folder)/\($0)") }
    }

    /// Returns the targets and products that each target in `Package.swift` depends on, unless it has no dependencies.
    private static func dependencies() throws -> [String: Set<String>] {
        let text = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let target = /name: "(\w+)",\s+dependencies: \[((?:[^\]\[]|\[[^\]]*\])*)\]/
        var found: [String: Set<String>] = [:]
        for match in text.matches(of: target) {
            let names = match.2.matches(of: /"(\w+)"/).map { String($0.1) }
            found[String(match.1), default: []].formUnion(names)
        }
        return found
    }

    private static func sources(of folder: String) throws -> [URL] {
        let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        return try #require(files).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    private static func imports(of folder: String) throws -> Set<String> {
        try sources(of: folder)
            .reduce(into: []) { $0.formUnion(imports(in: try String(contentsOf: $1, encoding: .utf8))) }
    }

    /// Returns the names of the modules that a source file imports.
    private static func imports(in source: String) -> Set<String> {
        // Every other part is a literal of several lines, which may contain the code of another file.
        let parts = source.components(separatedBy: "\"\"\"")
        let code = stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined()
        return Set(code.split(whereSeparator: \.isNewline).compactMap { importedModule(in: $0) })
    }

    /// Returns the module that a line imports, or `nil` if it is not an import.
    private static func importedModule(in line: Substring) -> String? {
        guard line.contains("import ") else { return nil }
        var words = line.split(separator: " ")
        let levels = ["public", "package", "internal", "fileprivate", "private"]
        while let word = words.first, word.hasPrefix("@") || levels.contains(String(word)) { words.removeFirst() }
        guard words.first == "import" else { return nil }
        let kinds = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
        return words.dropFirst().first { !kinds.contains(String($0)) }
            .flatMap { $0.split(separator: ".").first.map(String.init) }
    }
}
