internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// `store get`: one value of one object.
struct StoreGetCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "get",
            abstract: "Get one value of a store.",
            discussion: Help.lines(
                """
                The value is decoded and shown in its human form; an image takes the format of the output's \
                extension. With --raw, --hex or --base64 the bytes come as they are stored, even where they \
                cannot be decoded.
                """,
                examples: [
                    "store get clinic.sqlite Patient 1 name",
                    "store get clinic.sqlite Patient 1 portrait --out ada.jpg",
                    "store get clinic.sqlite Patient 1 ssn --key-file clinic.keys",
                    "store get clinic.sqlite Patient 1 portrait --raw > ada.png",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String

    @Argument(help: "The object's number.")
    var id: Int64

    @Argument(help: "The attribute's name.")
    var attribute: String

    @OptionGroup var output: OutputOptions
    @OptionGroup var encoded: EncodedOptions
    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if output.raw, encoded.notation != nil {
            throw ValidationError("--raw, --hex and --base64 cannot be given together")
        }
    }

    func run() throws {
        let session = Session.current
        try session.requireSeparate(output, from: file.files + keys.files(session))
        let (store, _) = try file.openForReading(keys, session)
        defer { try? store.close() }
        let attribute = try store.storedAttribute(attribute, of: entity)
        let isStored = output.raw || encoded.notation != nil
        let content = try store.read { context in
            let object = try context.object(ObjectID(entity: entity, number: id))
            return isStored
                ? try storedContent(of: attribute, in: object)
                : try attribute.content(in: object, format: output.format)
        }
        try session.write(content, to: output)
    }

    private func storedContent(of attribute: AttributeInfo, in object: ManagedObject) throws -> Content {
        let stored = try object.storedValue(attribute.name)
        guard stored != .null else {
            throw CommandError(.noInput, "\(object.id) has no value for “\(attribute.name)”")
        }
        guard let bytes = try object.encodedBytes(attribute.name) else {
            throw CommandError(.usage, "“\(attribute.name)” is stored as a number, which has no bytes to show")
        }
        return Content(bytes: encoded.notation?.text(of: bytes) ?? bytes, isLine: encoded.notation != nil)
    }
}
