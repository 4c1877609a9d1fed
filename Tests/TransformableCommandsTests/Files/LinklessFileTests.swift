import Foundation
import Testing

/// New files where there are no hard links, which is simulated with Python.
@Suite struct LinklessFileTests {
    private static let executable = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "transformable")

    /// Runs a program whose attempts to create a hard link fail, as they do on most memory cards.
    private static let withoutLinks = """
        import ctypes, errno, os, platform, struct, sys
        calls = {"x86_64": (86, 265), "aarch64": (37,)}[platform.machine()]
        code = struct.pack("=HBBI", 0x20, 0, 0, 0)
        for left, call in zip(range(len(calls), 0, -1), calls):
            code += struct.pack("=HBBI", 0x15, left, 0, call)
        code += struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF0000)
        code += struct.pack("=HBBI", 0x06, 0, 0, 0x00050000 | errno.EPERM)
        class Filter(ctypes.Structure):
            _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_char_p)]
        system = ctypes.CDLL(None)
        assert system.prctl(38, 1, 0, 0, 0) == 0
        assert system.prctl(22, 2, ctypes.byref(Filter(len(code) // 8, code)), 0, 0) == 0
        os.execv(sys.argv[1], sys.argv[1:])
        """

    private func run(_ arguments: String...) throws -> (status: Int32, messages: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.withoutLinks, Self.executable.path] + arguments
        let pipe = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe
        try process.run()
        let messages = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: messages, as: UTF8.self))
    }

    @Test func aKeyFileIsCreatedAndNotReplaced() throws {
        let folder = try TemporaryFolder()
        let keys = folder.path("clinic.keys")
        let made = try run("keys", "new", keys)
        #expect(made.status == 0, "\(made.messages)")
        let bytes = try Data(contentsOf: URL(filePath: keys))
        #expect(try FileManager.default.attributesOfItem(atPath: keys)[.posixPermissions] as? Int == 0o600)
        let again = try run("keys", "new", keys)
        #expect(again.messages.contains("“\(keys)” already exists"), "\(again.messages)")
        #expect(try Data(contentsOf: URL(filePath: keys)) == bytes)
        #expect(!bytes.isEmpty)
        #expect(try folder.names == ["clinic.keys"])
    }

    @Test func aStoreIsCreatedAndNotReplaced() throws {
        let folder = try TemporaryFolder()
        let json = #"{ "transformableModel": 1, "entities": [ { "name": "E" } ] }"#
        let model = try folder.write(Data(json.utf8), "m.json")
        let store = folder.path("a.sqlite")
        let made = try run("store", "create", store, "--model", model)
        #expect(made.status == 0, "\(made.messages)")
        let again = try run("store", "create", store, "--model", model)
        #expect(again.messages.contains("“\(store)” already exists"), "\(again.messages)")
        #expect(try folder.names == ["a.sqlite", "m.json"])
    }
}
