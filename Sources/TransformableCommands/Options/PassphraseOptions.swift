internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation

/// Where a passphrase is read; never an argument, which every user of the machine can see.
struct PassphraseOptions: ParsableArguments {
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp("The key file's passphrase: the first line of this private file.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    @Option(
        name: .customLong("passphrase-descriptor"),
        help: ArgumentHelp("The key file's passphrase: the first line of this open descriptor.", valueName: "number")
    )
    var descriptor: Int32?

    /// The file or the descriptor; nil if none was given.
    var source: PassphraseSource? {
        file.map { .file(URL(filePath: $0)) } ?? descriptor.map { .descriptor($0) }
    }

    func validate() throws {
        if file != nil, descriptor != nil { throw ValidationError("the passphrase is given twice") }
        if file == "" { throw ValidationError("--passphrase-file needs a file's name") }
        if let descriptor, descriptor < 0 { throw ValidationError("--passphrase-descriptor is a number from 0") }
    }
}
