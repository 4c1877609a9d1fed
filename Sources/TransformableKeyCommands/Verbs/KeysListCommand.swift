internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import TransformableCommands

/// `keys list`: lists the keys of a key file, and how many values use each key.
struct KeysListCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "List the keys of a key file, without their secrets.",
            discussion: Help.lines(
                "With --store, also shows how many values of the stores were sealed with each key.",
                examples: ["keys list clinic.keys", "keys list clinic.keys --store clinic.sqlite --json"]
            )
        )
    }

    @Argument(help: "The key file.", completion: .file())
    var file: String

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("A store whose values to count; can be repeated.", valueName: "file"),
        completion: .file()
    )
    var stores: [String] = []

    @OptionGroup var listing: ListingOptions
    @OptionGroup var passphrase: PassphraseOptions

    private struct KeyListing: Encodable {
        let keys: [Row]
    }

    private struct Row: Encodable {
        let name: String
        let id: String
        let state: String
        let created: String
        var values: Int?
        var indexes: [String]?
    }

    func run() throws {
        let session = Session.current
        let ring = try KeyFile(file, passphrase, session).ring
        let usage = try session.withStores(stores) { try KeyUsage(of: $0) }
        let rows = ring.names.flatMap { name in ring.generations(of: name).map { row(name, $0, usage) } }
        if listing.json { return try session.print(json: KeyListing(keys: rows)) }
        var table = TextTable(header: ["NAME", "ID", "STATE", "CREATED"] + (stores.isEmpty ? [] : ["USED BY"]))
        for row in rows {
            let need = KeyID(row.id).flatMap { usage.need(of: $0) } ?? "nothing"
            table.append([row.name, row.id, row.state, row.created] + (stores.isEmpty ? [] : [need]))
        }
        try session.print(table.lines.joined(separator: "\n"))
    }

    private func row(_ name: String, _ generation: KeyRing.Generation, _ usage: KeyUsage) -> Row {
        Row(
            name: name,
            id: "\(generation.id)",
            state: generation.state.rawValue,
            created: generation.created.formatted(.iso8601),
            values: stores.isEmpty ? nil : usage.values[generation.id] ?? 0,
            indexes: stores.isEmpty ? nil : (usage.indexes[generation.id] ?? []).sorted()
        )
    }
}
