package import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import Transformable
package import TransformableCommands

/// The keys that a command reads from a key file.
package struct KeyFileOptions: KeySource {
    @Option(
        help: ArgumentHelp(
            "The key file. By default, the file that the environment variable TRANSFORMABLE_KEY_FILE names.",
            valueName: "file"
        ),
        completion: .file()
    )
    var keyFile: String?

    // Not a group: ArgumentParser validates nested groups in exponential time in debug builds.
    @Option(help: PassphraseOptions.fileHelp, completion: .file())
    var passphraseFile: String?

    @Option(help: PassphraseOptions.descriptorHelp)
    var passphraseDescriptor: Int32?

    package init() {}

    private var passphrase: PassphraseOptions {
        PassphraseOptions(file: passphraseFile, descriptor: passphraseDescriptor)
    }

    package func validate() throws {
        try passphrase.validate()
        if keyFile == "" { throw ValidationError("--key-file requires a file name") }
        if path == nil, passphrase.source != nil {
            let ways = "name it with --key-file or TRANSFORMABLE_KEY_FILE"
            throw ValidationError("a passphrase opens a key file, and there is none; \(ways)")
        }
    }

    package static var commands: [any ParsableCommand.Type] { [KeysCommand.self] }

    private var path: String? { keyFile ?? KeyEnvironment.current.keyFile }

    package var files: [String] { [path, passphrase.file].compactMap(\.self) }

    package func open(_ session: Session) throws -> KeyedRegistry {
        let ring = try path.map { try KeyFile($0, passphrase, session).ring } ?? .empty
        return try KeyedRegistry(KeyEnvironment.current.makeRegistry(ring)) { store in
            try KeyUsage(of: [store]).retirable(in: ring)
        }
    }

    package static var errors: KeyErrors {
        var errors = KeyErrors()
        errors.statuses = [
            .authenticationFailed: .noKey,
            .missingKey: .noKey,
            .retiredKey: .noKey,
            .refusedKeyFile: .noKey,
            .unreadableKeyFile: .noKey,
            .busyKeyFile: .busy,
            .keyInUse: .badData,
            .invalidKeyFile: .noKey,
            .passphraseNeeded: .noKey,
            .wrongPassphrase: .noKey,
            .keyProviderNeeded: .noKey,
            .cryptographyUnavailable: .internalFault,
        ]
        errors.hints = [.missingKey: "--key-file or TRANSFORMABLE_KEY_FILE names the key file"]
        errors.lackingKey = [.missingKey, .retiredKey]
        return errors
    }
}

extension KeyUsage {
    /// Returns a sentence for each active key of a ring that no value in the store uses.
    fileprivate func retirable(in ring: KeyRing) -> [String] {
        ring.names.flatMap { name in
            ring.generations(of: name)
                .filter { $0.state == .active && need(of: $0.id) == nil }
                .map { "no value in this store uses the key \($0.id) of “\(name)”" }
        }
    }
}

/// The source of a passphrase.
///
/// It is never an argument, because every user of the machine can see arguments.
struct PassphraseOptions: ParsableArguments {
    @Option(name: .customLong("passphrase-file"), help: PassphraseOptions.fileHelp, completion: .file())
    var file: String?

    @Option(name: .customLong("passphrase-descriptor"), help: PassphraseOptions.descriptorHelp)
    var descriptor: Int32?

    fileprivate static let fileHelp = ArgumentHelp(
        "Read the key file's passphrase from the first line of this private file.",
        valueName: "file"
    )

    fileprivate static let descriptorHelp = ArgumentHelp(
        "Read the key file's passphrase from the first line of this open file descriptor.",
        valueName: "number"
    )

    init() {}

    fileprivate init(file: String?, descriptor: Int32?) {
        self.file = file
        self.descriptor = descriptor
    }

    /// The file or the descriptor, or nil if neither was given.
    var source: PassphraseSource? {
        file.map { .file(URL(filePath: $0)) } ?? descriptor.map { .descriptor($0) }
    }

    func validate() throws {
        if file != nil, descriptor != nil {
            throw ValidationError("--passphrase-file and --passphrase-descriptor cannot be combined")
        }
        if file == "" { throw ValidationError("--passphrase-file requires a file name") }
        if let descriptor, descriptor < 0 { throw ValidationError("--passphrase-descriptor must not be negative") }
    }
}
