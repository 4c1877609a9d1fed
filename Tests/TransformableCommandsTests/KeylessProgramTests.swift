import Foundation
import Testing
import Transformable
import TransformableCommands

/// A program whose plugins need no keys has no options for keys and does not link the code that reads them.
@Suite struct KeylessProgramTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a command without keys, and returns its status and output.
    private func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        try run(arguments: arguments)
    }

    private func run(arguments: [String]) throws -> (status: Int32, output: String) {
        let paths = try ["input", "output", "messages"].map { try folder.write(Data(), $0) }
        let files = try paths.map { try FileHandle(forUpdating: URL(filePath: $0)) }
        let io = CommandIO(
            input: files[0].fileDescriptor,
            output: files[1].fileDescriptor,
            messages: files[2].fileDescriptor
        )
        let status = TransformableCommand.run(arguments, io: io) { try TransformerRegistry { SamplePlugin() } }
        return (status, try String(contentsOf: URL(filePath: paths[1]), encoding: .utf8))
    }

    @Test func encodesAndUsesStores() throws {
        #expect(try run("encode", "reverse", "abc").output == "cba\n")
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [
              { "name": "Note", "attributes": [ { "name": "text", "transformer": "reverse" } ] } ] }
            """
        let (store, file) = (folder.path("notes.sqlite"), try folder.write(Data(model.utf8), "notes.json"))
        #expect(try run("store", "create", store, "--model", file).status == 0)
        #expect(try run("store", "insert", store, "Note", "text=abc").output == "1\n")
        #expect(try run("store", "get", store, "Note", "1", "text").output == "abc")
        #expect(try run("store", "reseal", store, "--attribute", "Note.text", "--plain").status == 0)
    }

    @Test(arguments: ["", "encode", "store", "store seal", "store reseal", "store show"])
    func helpDoesNotMentionKeyFiles(command: String) throws {
        let help = try run(arguments: command.split(separator: " ").map(String.init) + ["--help"])
        #expect(help.status == 0)
        #expect(!help.output.contains("--key-file"))
        #expect(!help.output.contains("Create and change key files"))
        #expect(!help.output.hasSuffix("Examples:\n"))
    }

    @Test func hasNoCommandsOrOptionsForKeys() throws {
        #expect(try run("keys", "new", folder.path("clinic.keys")).status == 64)
        #expect(try run("encode", "reverse", "abc", "--key-file", "clinic.keys").status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder.path("clinic.keys")))
    }

    // MARK: What it is built from

    @Test func targetDoesNotDependOnCryptography() throws {
        let text = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../Package.swift").standardized,
            encoding: .utf8
        )
        let targets = text.matches(of: /name: "(\w+)",\s+dependencies: \[((?:[^\]\[]|\[[^\]]*\])*)\]/)
            .map { (String($0.1), $0.2.matches(of: /"(\w+)"/).map { String($0.1) }) }
        let dependencies = Dictionary(targets) { first, _ in first }
        var found: Set<String> = []
        var waiting = ["TransformableCommands"]
        while let target = waiting.popLast() {
            guard found.insert(target).inserted else { continue }
            waiting += dependencies[target] ?? []
        }
        #expect(found.isSuperset(of: ["TransformableStore", "Transformable", "ArgumentParser"]))
        #expect(found.isDisjoint(with: ["EncryptionPlugin", "CSodium", "TransformableKeyCommands"]))
        #expect(found.isDisjoint(with: ["CPostgres", "TransformablePostgres"]))
        #expect(dependencies["TransformableKeyCommands"]?.contains("EncryptionPlugin") == true)
    }
}
