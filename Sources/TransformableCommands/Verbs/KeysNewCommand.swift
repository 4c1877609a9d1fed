internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import Transformable

/// `keys new`: a new key file with one key.
struct KeysNewCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "new",
            abstract: "Make a key file with one random key.",
            discussion: Help.lines(
                """
                The file must not be there yet. Keep a copy in a safe place: what is sealed with a key is lost \
                without it.
                """,
                examples: [
                    "keys new clinic.keys --name clinic",
                    "encode 'text | sealed' secret --key-file clinic.keys --out ssn.bin",
                ]
            )
        )
    }

    @Argument(help: "The key file to make.", completion: .file())
    var file: String

    @Option(help: "The key's name, by which expressions pick it: sealed(key: \"clinic\").")
    var name = "default"

    func run() throws {
        let ring = try KeyRing.empty.addingKey(named: name)
        if access(file, F_OK) == 0 { throw CommandError.keyFileExists(file) }
        do {
            try ring.write(to: URL(filePath: file))
        } catch let error as TransformerError where error.code == .unreadableKeyFile {
            throw CommandError(.cannotCreate, ErrorLine.sentence(for: error))
        }
        let id = ring.generations(of: name).map { "\($0.id)" }.joined(separator: ", ")
        try Session.current.print("made “\(file)” with the key “\(name)”, \(id)")
    }
}

extension CommandError {
    fileprivate static func keyFileExists(_ path: String) -> Self {
        let way = "choose another name, since nothing that its keys have sealed opens without them"
        return Self(.cannotCreate, "“\(path)” is there already; \(way)")
    }
}
