import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableCommands
import TransformableKeyCommands

/// A run of the command line within this process, in its own folder.
struct CommandRun {
    let status: Int32
    let outputBytes: Data
    let messages: String

    var output: String { String(decoding: outputBytes, as: UTF8.self) }

    init(
        _ arguments: String...,
        input: Data = Data(),
        terminal: Bool = false,
        registry: @escaping @Sendable (KeyRing) throws -> TransformerRegistry = { _ in
            try TransformerRegistry { SamplePlugin() }
        }
    ) throws {
        try self.init(arguments: arguments, input: input, terminal: terminal, registry: registry)
    }

    init(
        arguments: [String],
        input: Data = Data(),
        terminal: Bool = false,
        environment: [String: String] = [:],
        registry: @escaping @Sendable (KeyRing) throws -> TransformerRegistry = { _ in
            try TransformerRegistry { SamplePlugin() }
        }
    ) throws {
        let folder = try TemporaryFolder()
        let files = try (folder.file(with: input), folder.file(), folder.file())
        var io = CommandIO(
            input: files.0.fileDescriptor,
            output: files.1.fileDescriptor,
            messages: files.2.fileDescriptor
        )
        io.isInputTerminal = terminal
        io.isOutputTerminal = terminal
        status = TransformableCommand.run(arguments, io: io, environment: environment, registry: registry)
        outputBytes = try files.1.contents()
        messages = try String(decoding: files.2.contents(), as: UTF8.self)
    }
}

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "transformable-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String {
        url.appending(path: name).path
    }

    /// Writes a file.
    @discardableResult
    func write(_ bytes: Data, _ name: String) throws -> String {
        try bytes.write(to: url.appending(path: name))
        return path(name)
    }

    /// Copies everything in another folder.
    func copyFiles(of other: TemporaryFolder) throws {
        for name in try other.names {
            try FileManager.default.copyItem(at: other.url.appending(path: name), to: url.appending(path: name))
        }
    }

    /// The names of all files, including hidden ones.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    fileprivate func file(with bytes: Data = Data()) throws -> FileHandle {
        try FileHandle(forUpdating: URL(filePath: write(bytes, "\(UUID())")))
    }
}

extension FileHandle {
    fileprivate func contents() throws -> Data {
        try seek(toOffset: 0)
        return try readToEnd() ?? Data()
    }
}

/// Arguments, and the exit status with which they must fail.
struct Refusal: CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32

    init(_ status: Int32, _ arguments: String...) {
        self.arguments = arguments
        self.status = status
    }

    var testDescription: String { "\(status): \(arguments.joined(separator: " "))" }

    /// Runs a command, and expects one sentence and no output.
    func check(_ verb: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let run = try CommandRun(arguments: [verb] + arguments)
        #expect(run.status == status, sourceLocation: sourceLocation)
        #expect(run.output == "", sourceLocation: sourceLocation)
        #expect(run.messages.hasPrefix("error: "), sourceLocation: sourceLocation)
        #expect(run.messages.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
    }
}
