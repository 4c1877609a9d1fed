internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import TransformableCommands

/// The source of a passphrase.
///
/// It is never an argument, because every user of the machine can see arguments.
struct PassphraseOptions: ParsableArguments {
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "Read the key file's passphrase from the first line of this private file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @Option(
        name: .customLong("passphrase-descriptor"),
        help: ArgumentHelp(
            "Read the key file's passphrase from the first line of this open file descriptor.",
            valueName: "number"
        )
    )
    var descriptor: Int32?

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
