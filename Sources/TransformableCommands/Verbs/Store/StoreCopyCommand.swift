internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// `store copy`: a store with its blobs, while others use it.
struct StoreCopyCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "copy",
            abstract: "Copy a store with its external blobs, while others use it.",
            discussion: Help.lines(
                """
                The copy is what one moment saw, and appears whole or not at all. Values stay as they are stored, \
                so that no key is needed. Blobs that are missing or damaged are listed, and the status is 1.
                """,
                examples: ["store copy clinic.sqlite backup.sqlite"]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The copy's file, which must not be there yet.", completion: .file())
    var copy: String

    func run() throws {
        let session = Session.current
        let store = try file.openForReading(session.keylessRegistry, session)
        defer { try? store.close() }
        let faults = try store.copy(to: URL(filePath: copy), watch: session.temporaryFiles)
        try session.print("copied “\(file.store)” to “\(copy)”")
        guard !faults.isEmpty else { return }
        for fault in faults { session.tell("\(fault)") }
        throw CommandError(.faultsFound, "\(faults.count.counted("blob")) missing or damaged, in the copy too")
    }
}
