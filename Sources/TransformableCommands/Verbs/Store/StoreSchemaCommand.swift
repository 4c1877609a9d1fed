internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// `store schema`: shows the model of a store.
struct StoreSchemaCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "schema",
            abstract: "Show the model of a store; needs no key.",
            discussion: Help.lines(
                """
                Shows each attribute with its number (which sealed values are bound to), its expression, and \
                the signature that its values were written with. With --json, shows only the model, in the \
                format that “store create --model” reads.
                """,
                examples: [
                    "store schema clinic.sqlite",
                    "store schema clinic.sqlite --json > clinic.json",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument
    @OptionGroup var listing: ListingOptions

    func run() throws {
        let session = Session.current
        let store = try file.openForReading(session.keylessRegistry, session)
        defer { try? store.close() }
        if listing.json {
            try session.print(String(decoding: store.model.json, as: UTF8.self))
        } else {
            try session.print(SchemaReport(of: store).text)
        }
    }
}
