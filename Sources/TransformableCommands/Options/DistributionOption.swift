internal import ArgumentParser

/// How the tables of a new store in a database are distributed.
struct DistributionOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "In a database, distribute the rows by tenant over the servers of a Citus cluster.",
            visibility: ConnectedServers.current == nil ? .hidden : .default
        )
    )
    var distribute = false

    /// Throws an error if the new store is to be distributed, but is a file.
    func check(for address: StoreAddress) throws(CommandError) {
        guard distribute, address.isFile else { return }
        throw CommandError(.usage, "--distribute requires the address of a database")
    }
}
