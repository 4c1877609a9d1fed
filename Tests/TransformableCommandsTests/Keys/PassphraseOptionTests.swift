import EncryptionPlugin
import Foundation
import Testing
import Transformable

/// Options that name a source of a passphrase, and what the messages say about them.
@Suite struct PassphraseOptionTests {
    private let folder: TemporaryFolder
    private let keyFile: String

    init() throws {
        folder = try TemporaryFolder()
        keyFile = folder.path("clinic.keys")
        try KeyRing.empty.addingKey(named: "clinic").write(to: URL(filePath: keyFile))
    }

    private func run(_ arguments: String...) throws -> CommandRun {
        try run(arguments)
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(arguments: arguments, environment: environment) { keys in
            try TransformerRegistry {
                SamplePlugin()
                EncryptionPlugin(keys: keys)
            }
        }
    }

    /// Writes a file that only its owner can use.
    private func secret(_ text: String, _ name: String) throws -> String {
        let path = try folder.write(Data(text.utf8), name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    /// The advice to use `--passphrase-file` would be about a different passphrase, or has already been followed.
    @Test(arguments: ["--passphrase-file", "--new-passphrase-file"])
    func anEmptyPassphraseFileGetsNoOtherAdvice(option: String) throws {
        let empty = try secret("\n", "empty")
        let refused = try run("keys", "passphrase", keyFile, option, empty)
        #expect(refused.status == 77)
        #expect(refused.messages == "error: the first line of the passphrase file “\(empty)” is empty\n")
    }

    @Test func anEmptyDescriptorIsNamed() throws {
        let file = try #require(FileHandle(forReadingAtPath: secret("", "empty")))
        let refused = try run("keys", "list", keyFile, "--passphrase-descriptor", "\(file.fileDescriptor)")
        #expect(refused.status == 77)
        #expect(refused.messages == "error: the first line of file descriptor \(file.fileDescriptor) is empty\n")
    }

    @Test func namesTheOptionForTheOtherPassphrase() throws {
        let other = folder.path("other.keys")
        let passphrase = try secret("horse\n", "passphrase")
        #expect(try run("keys", "new", other, "--passphrase-file", passphrase).status == 0)
        let refused = try run("keys", "import", keyFile, other)
        #expect(refused.status == 77)
        #expect(refused.messages.hasSuffix("use --other-passphrase-file)\n"), "\(refused.messages)")
        #expect(try run("keys", "list", other).messages.hasSuffix("use --passphrase-file)\n"))
    }

    @Test(arguments: [
        ["keys", "passphrase", "KEYS", "--new-passphrase-file"], ["keys", "list", "KEYS", "--passphrase-file"],
        ["keys", "import", "KEYS", "KEYS", "--other-passphrase-file"], ["encode", "bytes", "x", "--key-file"],
    ])
    func anEmptyFileNameIsAUsageError(words: [String]) throws {
        let arguments = words.map { $0 == "KEYS" ? keyFile : $0 } + [""]
        let refused = try CommandRun(arguments: arguments)
        #expect(refused.status == 64)
        let option = try #require(words.last)
        #expect(refused.messages.hasPrefix("error: \(option) requires a file name"), "\(refused.messages)")
    }

    /// Without a key file, the passphrase would be ignored.
    @Test(arguments: [["--passphrase-file", "none"], ["--passphrase-descriptor", "9"]])
    func aPassphraseNeedsAKeyFile(options: [String]) throws {
        let refused = try CommandRun(arguments: ["encode", "bytes", "x", "--hex"] + options)
        #expect(refused.status == 64)
        #expect(refused.messages.contains("name it with --key-file or TRANSFORMABLE_KEY_FILE"))
        #expect(refused.output == "")
    }

    @Test func theEnvironmentCanNameTheKeyFileOfAPassphrase() throws {
        let passphrase = try secret("horse\n", "passphrase")
        #expect(try run("keys", "passphrase", keyFile, "--new-passphrase-file", passphrase).status == 0)
        let environment = ["TRANSFORMABLE_KEY_FILE": keyFile]
        let sealed = folder.path("sealed")
        let encode = ["encode", "text | sealed", "x", "--passphrase-file", passphrase, "--out", sealed]
        #expect(try run(encode, environment: environment).status == 0)
    }

    /// The outcome says what the file had before.
    @Test func saysWhatHappenedToThePassphrase() throws {
        let passphrase = try secret("horse\n", "passphrase")
        let before = try Data(contentsOf: URL(filePath: keyFile))
        let none = try run("keys", "passphrase", keyFile, "--remove")
        #expect(none.status == 0)
        #expect(none.output == "“\(keyFile)” has no passphrase; nothing was changed\n")
        #expect(try Data(contentsOf: URL(filePath: keyFile)) == before)
        let change = ["keys", "passphrase", keyFile, "--new-passphrase-file", passphrase, "--cost", "interactive"]
        #expect(try CommandRun(arguments: change).output == "set the passphrase of “\(keyFile)”\n")
        let again = try CommandRun(arguments: change + ["--passphrase-file", passphrase])
        #expect(again.output == "changed the passphrase of “\(keyFile)”\n")
        let removed = try run("keys", "passphrase", keyFile, "--passphrase-file", passphrase, "--remove")
        #expect(removed.output == "removed the passphrase of “\(keyFile)”\n")
    }
}
