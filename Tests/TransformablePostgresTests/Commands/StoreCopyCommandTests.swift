import Foundation
import Testing
import Transformable
import TransformableCommands
import TransformablePostgresCommands
import _PostgresServer

@Suite(.needsPostgres) struct StoreCopyCommandTests {
    private let clinic: ClinicStore
    private let schema = "clinic-\(UUID().uuidString)"

    init() throws {
        clinic = try ClinicStore()
    }

    private func address() throws -> String {
        "postgres:host=\(try PostgresServer.shared.get().folder.path) user=tester dbname=postgres"
    }

    /// Runs a command, and returns its status, its output, and its messages.
    private func run(_ arguments: String...) throws -> (status: Int32, output: String, messages: String) {
        let paths = ["input", "output", "messages"].map { clinic.folder.appending(path: $0) }
        for path in paths { try Data().write(to: path) }
        let files = try paths.map { try FileHandle(forUpdating: $0) }
        let io = CommandIO(
            input: files[0].fileDescriptor,
            output: files[1].fileDescriptor,
            messages: files[2].fileDescriptor
        )
        let registry = clinic.registry
        let status = TransformableCommand.withPostgres { TransformableCommand.run(arguments, io: io) { registry } }
        let texts = try paths.map { try String(contentsOf: $0, encoding: .utf8) }
        return (status, texts[1], texts[2])
    }

    @Test func copiesThereAndBack() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let there = try run("store", "copy", clinic.url.path, address(), "--schema", schema)
        #expect(there.status == 0)
        #expect(there.output.hasPrefix("copied “\(clinic.url.path)” to the schema “\(schema)” of “postgres:host="))
        #expect(there.output.hasSuffix("”: 7 objects, 2 blobs\n"))
        let url = clinic.file()
        #expect(try run("store", "copy", address(), url.path, "--schema", schema).status == 0)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
        let again = try run("store", "copy", clinic.url.path, address(), "--schema", schema)
        #expect(again.status == 73)
        #expect(again.messages.contains("already contains a store"))
    }

    @Test func copiesFromOneDatabaseToAnother() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let there = try address()
        #expect(try run("store", "copy", clinic.url.path, there, "--schema", schema).status == 0)
        let other = "\(schema)-2"
        let copy = try run("store", "copy", there, there, "--schema", schema, "--copy-schema", other)
        #expect(copy.status == 0, "\(copy.messages)")
        #expect(copy.output.hasPrefix("copied “\(there)” to the schema “\(other)” of “\(there)”: 7 objects, 2 blobs"))
        let url = clinic.file()
        #expect(try run("store", "copy", there, url.path, "--schema", other).status == 0)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
        #expect(try run("store", "copy", there, there, "--schema", schema).status == 73)
    }

    @Test func refusesWhatCannotBeMeant() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let path = clinic.url.path
        let there = try address()
        #expect(try run("store", "copy", there, there, "--schema", schema).status == 66)
        #expect(try run("store", "copy", path, there, "--copy-schema", "a").status == 64)
        #expect(try run("store", "copy", there, clinic.file().path, "--distribute").status == 64)
        #expect(try run("store", "copy", path, there, "--schema", schema, "--distribute").status == 64)
        #expect(try run("store", "copy", there, there, "--accept-model").status == 64)
        #expect(try run("store", "copy", path, clinic.file().path, "--schema", "a").status == 64)
        #expect(try run("store", "copy", there, clinic.file().path, "--accept-model").status == 64)
        #expect(try run("store", "copy", path, "postgres:password=secret").status == 64)
        #expect(try run("store", "copy", there, clinic.file().path, "--schema", schema).status == 66)
        #expect(try run("store", "copy", clinic.file().path, there).status == 66)
    }
}
