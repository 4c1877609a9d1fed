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
                """,
                examples: ["store copy clinic.sqlite backup.sqlite"]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The file of the copy, which must not exist yet.", completion: .file())
    var copy: String

    func validate() throws {
        if copy.isEmpty { throw ValidationError("the name of the copy is empty") }
    }

    func run() throws {
        let session = Session.current
        try file.path.requireOutside(copy)
        let store = try file.openForReading(session.keylessRegistry, session)
        defer { try? store.close() }
        let faults = try store.copy(to: URL(filePath: copy), watch: session.temporaryFiles)
        try session.print("copied “\(file.store)” to “\(copy)”")
        guard !faults.isEmpty else { return }
        for fault in faults { session.tell("\(fault)") }
        throw CommandError(
            .faultsFound,
            "\(faults.count.counted("blob")) missing or damaged, both in the store and in the copy"
        )
    }
}
