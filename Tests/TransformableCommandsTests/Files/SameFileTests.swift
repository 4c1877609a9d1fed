import Foundation
import Testing
import Transformable
import TransformableCommands
import TransformableKeyCommands

/// A file that a command reads or changes cannot also be its output.
@Suite struct SameFileTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        try fixture.insert("name=Ada")
    }

    @Test(arguments: [
        "store show STORE Patient", "store schema STORE", "store verify STORE", "store get STORE Patient 1 name",
        "keys list KEYS",
        "inspect STORE", "store insert STORE Patient name=Bob", "store reseal STORE --dry-run",
    ])
    func outputIsNotAppendedToTheInput(command: String) throws {
        let file = command.contains("KEYS") ? fixture.keyFile : fixture.store
        let before = try Data(contentsOf: URL(filePath: file))
        let output = try FileHandle(forUpdating: URL(filePath: file))
        let messages = try FileHandle(forUpdating: URL(filePath: fixture.folder.write(Data(), "messages")))
        let arguments = command.replacing("STORE", with: fixture.store).replacing("KEYS", with: fixture.keyFile)
        let status = TransformableCommand.run(
            arguments.split(separator: " ").map(String.init),
            io: CommandIO(input: 0, output: output.fileDescriptor, messages: messages.fileDescriptor)
        ) { _ in try TransformerRegistry { SamplePlugin() } }
        #expect(status == 64)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }

    @Test func aStoreIsNotImportedIntoItself() throws {
        let link = fixture.folder.path("link.csv")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fixture.store)
        for file in [fixture.store, link] {
            let run = try fixture.run("store", "import", fixture.store, "Patient", file, "--format", "csv")
            #expect(run.status == 64)
            #expect(run.messages.contains("is the store"))
        }
    }
}
