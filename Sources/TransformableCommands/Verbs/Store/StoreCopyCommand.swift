internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// `store copy`: copies a store and its blobs, even while it is in use.
struct StoreCopyCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "copy",
            abstract: "Copy a store with its external blobs, even while it is in use.",
            discussion: Help.lines(
                """
                The copy is a consistent snapshot, and is written atomically. Values are copied in their \
                stored form, so no key is needed. Missing and damaged blobs are listed, and the exit status \
                is then 1.

                To restore a copy, move what is left of the store away, and copy the backup to the store's name. \
                The new file belongs to you: if others use the store, give the file and its folder of blobs the \
                owner and the permissions that they had.

                If the program supports PostgreSQL, either the store or the copy can be in a database. Give its \
                address as a connection string of libpq, such as “postgres:service=clinic”, without a password. An \
                interrupted copy to a database continues when the same command is run again. At the end, both \
                sides are compared.

                From one database to another, the store is copied to a temporary file first, in the folder that the \
                environment variable TMPDIR names.
                """,
                examples: [
                    "store copy clinic.sqlite backup.sqlite",
                    "store copy clinic.sqlite postgres:service=clinic",
                    "store copy postgres:service=clinic backup.sqlite",
                    "store copy postgres:service=old postgres:service=new --schema clinic",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(
        help: "The file of the copy, which must not exist yet, or the address of a database.",
        completion: .file()
    )
    var copy: String

    @Option(
        help: ArgumentHelp(
            "The schema of the copy, if both stores are in databases (default: the same as the store's).",
            valueName: "name",
            visibility: ConnectedServers.current == nil ? .hidden : .default
        )
    )
    var copySchema: String?

    @OptionGroup var distribution: DistributionOption

    func validate() throws {
        if copy.isEmpty { throw ValidationError("the name of the copy is empty") }
    }

    func run() throws {
        let session = Session.current
        let server = ServerCopy(session: session, isDistributed: distribution.distribute)
        let addresses = try StoreAddress.list([file.store, copy], schema: file.schema)
        try distribution.check(for: addresses[1])
        if copySchema != nil, addresses.contains(where: \.isFile) {
            throw CommandError(.usage, "--copy-schema requires the addresses of two databases")
        }
        switch (addresses[0], addresses[1]) {
        case (.file, .file): try copyFile(session)
        case (.file, .server(let servers, let address, let schema)):
            try server.copy(file, at: addresses[0], to: servers, address, schema)
        case (.server(let servers, let address, let schema), .file):
            try requireNoTrustOptions()
            try server.copy(from: servers, address, schema, to: copy)
        case (.server(let servers, let address, let schema), .server(_, let target, _)):
            try requireNoTrustOptions()
            try server.copy(file, servers, from: (address, schema), to: (target, copySchema ?? schema))
        }
    }

    private func requireNoTrustOptions() throws(CommandError) {
        guard file.trust.model == nil, !file.trust.acceptModel else {
            throw CommandError(.usage, "--model and --accept-model apply to files; use them when you open the copy")
        }
    }

    private func copyFile(_ session: Session) throws {
        try file.requireOutside(copy)
        let store = try file.openForReading(session.keylessRegistry, session)
        defer { try? store.close() }
        let faults = try store.copy(to: URL(filePath: copy), watch: session.temporaryFiles)
        try session.print("copied “\(file.store)” to “\(copy)”")
        guard !faults.isEmpty else { return }
        for fault in faults { session.tell("\(fault)") }
        throw CommandError.missingBlobs(faults.count)
    }
}
