internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import TransformableCommands

/// `keys list`: lists the keys of a key file, and what needs each key.
struct KeysListCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "List the keys of a key file, without their secrets.",
            discussion: Help.lines(
                "With --store, also shows what in the stores needs each key, and which other keys they need.",
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

    @Option(help: StoreAddress.schemaHelp)
    var schema: String?

    @OptionGroup var listing: ListingOptions
    @OptionGroup var passphrase: PassphraseOptions

    private struct KeyListing: Encodable {
        let keys: [Row]
        let unknown: [String]?
    }

    private struct Row: Encodable {
        let name: String
        let id: String
        let state: String
        // Only if the secret key of the pair is elsewhere.
        let publicOnly: Bool?
        // Only if others have the secret key too.
        let shared: Bool?
        let created: String
        // Only with --store.
        var values: Int?
        var keptAside: Int?
        var indexes: [String]?
        var seals: Int?
        var rows: Int?
    }

    func run() throws {
        let session = Session.current
        let ring = try KeyFile(file, passphrase, session).ring
        let usage = try session.withStores(StoreAddress.list(stores, schema: schema)) { try KeyUsage(of: $0) }
        session.tell(ofKeysMissingIn: ring, usage)
        let rows = ring.names.flatMap { name in
            ring.generations(of: name).map { row(name, $0, isShared: ring.isShared(name), usage) }
        }
        if listing.json {
            let unknown = stores.isEmpty ? nil : usage.unknown.sorted()
            return try session.print(json: KeyListing(keys: rows, unknown: unknown))
        }
        var table = TextTable(header: ["NAME", "ID", "STATE", "CREATED"] + (stores.isEmpty ? [] : ["USED BY"]))
        for row in rows {
            let need = KeyID(row.id).flatMap { usage.need(of: $0) } ?? "nothing"
            let part = row.publicOnly == true ? ", public only" : row.shared == true ? ", shared" : ""
            table.append([row.name, row.id, row.state + part, row.created] + (stores.isEmpty ? [] : [need]))
        }
        try session.print(table.lines.joined(separator: "\n"))
    }

    private func row(
        _ name: String,
        _ generation: KeyRing.Generation,
        isShared: Bool,
        _ usage: KeyUsage
    ) -> Row {
        let id = generation.id
        var row = Row(
            name: name,
            id: "\(id)",
            state: generation.state.rawValue,
            publicOnly: generation.isPublicOnly ? true : nil,
            shared: isShared ? true : nil,
            created: generation.created.formatted(.iso8601)
        )
        guard !stores.isEmpty else { return row }
        row.values = usage.values[id] ?? 0
        row.keptAside = usage.setAside[id] ?? 0
        row.indexes = (usage.indexes[id] ?? []).sorted()
        row.seals = usage.seals[id] ?? 0
        row.rows = usage.rows[id] ?? 0
        return row
    }
}
