import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// What we write is a property list to the tools that come with Swift, with a Mac, or with Debian.
@Suite struct PropertyListLintTests {
    private static let everything = ArchivedValueTransformerTests.everything

    private func passes(_ command: [String], on data: Data) throws -> Bool {
        let file = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString).plist")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try Self.run(command + [file.path]) == 0
    }

    private static func run(_ command: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static let tools = [["plutil", "-lint"], ["plistutil", "-i"]]
        .filter { (try? run(["sh", "-c", "command -v \($0[0])"])) == 0 }

    @Test(
        .enabled(if: !tools.isEmpty, "neither plutil nor plistutil is here"),
        arguments: tools,
        KeyedArchiveFormat.allCases
    )
    func acceptsOurPropertyLists(tool: [String], format: KeyedArchiveFormat) throws {
        let bytes = try ArchivedValueTransformer(format: format).encode(Self.everything)
        #expect(try passes(tool, on: bytes))
        #expect(try !passes(tool, on: bytes.prefix(bytes.count / 2)))
    }
}
