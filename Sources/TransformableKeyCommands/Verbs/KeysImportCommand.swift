internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import Transformable
internal import TransformableCommands

/// `keys import`: adds the keys of another key file.
struct KeysImportCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Add the keys of another key file.",
            discussion: Help.lines(
                """
                If both files contain a key with the same name, the first file's primary key remains the \
                primary key, and the other file's keys can still open the values that they sealed, except \
                those that are retired. The other file is not changed.

                If someone else has the other file's secret keys too, use --shared. Shared keys seal and open \
                values, but they do not authenticate stores: a seal or the tag of a row that was made with one is \
                not accepted.
                """,
                examples: [
                    "keys import clinic.keys partner-public.keys",
                    "keys import clinic.keys partner.keys --shared",
                    "keys import clinic.keys old.keys --other-passphrase-file old-passphrase.txt",
                ]
            )
        )
    }

    @Argument(help: "The key file to add to.", completion: .file())
    var file: String

    @Argument(help: "The key file to read.", completion: .file())
    var other: String

    @OptionGroup var passphrase: PassphraseOptions

    @Option(
        help: ArgumentHelp(
            "Read the other file's passphrase from the first line of this private file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var otherPassphraseFile: String?

    @Flag(help: "Others have the other file's secret keys too, so these keys do not authenticate stores.")
    var shared = false

    func validate() throws {
        if otherPassphraseFile == "" { throw ValidationError("--other-passphrase-file requires a file name") }
    }

    func run() throws {
        let session = Session.current
        let source = otherPassphraseFile.map { PassphraseSource.file(URL(filePath: $0)) }
        let imported = try KeyFile(other, source, orReadFrom: "--other-passphrase-file", session).ring
        let keys = try KeyFile(file, passphrase, session)
        var former = KeyRing.empty
        let ring = try keys.update { ring in
            former = ring
            return try ring.importing(imported, shared: shared)
        }
        let known = Set(former.allGenerations.map(\.id))
        let added = ring.allGenerations.filter { !known.contains($0.id) }
        let completed = former.publicOnly.subtracting(ring.publicOnly).count
        let pairs = completed == 0 ? [] : ["the secret part of \(completed.counted("pair"))"]
        let parts = (added.isEmpty && completed > 0 ? [] : [added.count.counted("key")]) + pairs
        try session.print(saved: "added \(parts.joined(separator: " and ")) from “\(other)” to “\(file)”")
        for name in ring.names where ring.isShared(name) && !former.isShared(name) {
            session.tell("note: “\(name)” is a shared key, so it does not authenticate stores")
        }
        for name in former.names where !ring.isShared(name) {
            guard let own = former.primary(of: name), let newer = imported.primary(of: name),
                newer.created > own.created
            else { continue }
            let way = "to seal with \(newer.id) instead, import “\(file)” into “\(other)”"
            session.tell("note: “\(name)” still seals with \(own.id), although \(newer.id) is newer; \(way)")
        }
        for generation in added where generation.state == .retired {
            let way = "to use it, run “keys retire \(file) \(generation.id) --undo”"
            session.tell("note: the key \(generation.id) is retired; \(way)")
        }
    }
}

extension KeyRing {
    fileprivate var allGenerations: [Generation] { names.flatMap(generations) }

    fileprivate func primary(of name: String) -> Generation? {
        generations(of: name).first { $0.state == .primary }
    }

    /// The keys of which there is only the public part.
    fileprivate var publicOnly: Set<KeyID> { Set(allGenerations.filter(\.isPublicOnly).map(\.id)) }
}
