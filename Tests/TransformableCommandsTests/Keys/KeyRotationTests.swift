import EncryptionPlugin
import Foundation
import Testing
import Transformable

/// Many programs that rotate a key of the same file at once, some of which are killed.
///
/// `.serialized`: each case starts many processes.
@Suite(.serialized) struct KeyRotationTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let passphraseFile: String

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "clinic.keys")
        passphraseFile = try folder.write(Data("horse\n".utf8), "passphrase.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passphraseFile)
    }

    private func passphrase() throws -> SecureBytes {
        let bytes = Data("horse".utf8)
        return try SecureBytes(count: bytes.count) { _ = bytes.copyBytes(to: $0) }
    }

    /// A running program and its output.
    private struct Program {
        let process = Process()
        let output = Pipe()

        init(_ arguments: [String]) {
            process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "transformable")
            process.arguments = arguments
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
        }

        /// The key that it reports, and whether it finished by itself.
        func end() throws -> (key: KeyID?, status: Int32?) {
            let text = try String(decoding: output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            let digits = text.firstMatch(of: /now seals with ([0-9a-f]{16})/).map { String($0.output.1) }
            let status = process.terminationReason == .exit ? process.terminationStatus : nil
            return (digits.flatMap { KeyID($0) }, status)
        }
    }

    @Test(arguments: [(20, false), (8, true)])
    func losesNoReportedKey(programCount: Int, isProtected: Bool) throws {
        let victimCount = programCount / 4
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        let cost = PassphraseCost(operations: 1, memory: 8 << 20)
        if isProtected {
            try ring.write(to: file, passphrase: passphrase(), cost: cost)
        } else {
            try ring.write(to: file)
        }
        let options = isProtected ? ["--passphrase-file", passphraseFile] : []
        let arguments = ["keys", "rotate", file.path] + options
        let programs = (0..<programCount + victimCount).map { _ in Program(arguments) }
        for program in programs { try program.process.run() }
        for victim in programs.prefix(victimCount) {
            // The delay is intended: the kill comes at a random moment.
            usleep(.random(in: 0...100_000))
            kill(victim.process.processIdentifier, SIGKILL)
        }
        let ends = try programs.map { try $0.end() }
        #expect(ends.dropFirst(victimCount).allSatisfy { $0.status == 0 && $0.key != nil })

        // Every reported key exists, even if the program was killed afterward.
        let reported = Set(ends.compactMap(\.key))
        #expect(reported.count >= programCount)
        let last = try KeyRing.update(at: file, passphrase: isProtected ? passphrase() : nil) { $0 }
        let kept = Set(last.generations(of: "clinic").map(\.id))
        #expect(reported.isSubset(of: kept))
        #expect(try folder.names == ["clinic.keys", "passphrase.txt"])
    }
}
