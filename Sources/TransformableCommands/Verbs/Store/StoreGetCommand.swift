internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// `store get`: shows one value of one object.
struct StoreGetCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "get",
            abstract: "Show one value of one object.",
            discussion: Help.lines(
                """
                The value is decoded and shown in its human-readable form. An image is written in the format \
                of the output file's extension. With --raw, --hex, or --base64, the stored bytes are \
                written, even if they cannot be decoded. With --extract, only one part of a structured value \
                is shown; with --raw, its text or data is written unchanged. With --json, the value is \
                written as part of a JSON document, with null for no value. Large values are written piece \
                by piece; do not use such a value from standard output unless the exit status is 0. If a \
                sealed value is written to a new file, only the file's owner can read it.
                """,
                examples: [
                    "store get clinic.sqlite Patient 1 name",
                    "store get clinic.sqlite Patient 1 portrait --out ada.jpg",
                    .withKeys("store get clinic.sqlite Patient 1 ssn --key-file clinic.keys"),
                    "store get clinic.sqlite Patient 1 portrait --raw > ada.png",
                    "store get clinic.sqlite Patient 1 bed --json",
                    "store get clinic.sqlite Patient 1 settings --extract colors.0",
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

    @OptionGroup var tenant: TenantOption
    @OptionGroup var output: OutputOptions
    @OptionGroup var encoded: EncodedOptions
    @OptionGroup var part: PartOptions
    @OptionGroup var keys: Keys

    func validate() throws {
        if output.raw, encoded.notation != nil {
            throw ValidationError("--raw, --hex, and --base64 cannot be combined")
        }
        if part.extract != nil, encoded.notation != nil {
            throw ValidationError("--hex and --base64 show all stored bytes, so they cannot be combined with --extract")
        }
        if part.json, output.raw { throw ValidationError("--raw and --json cannot be combined") }
    }

    func run() throws {
        let session = Session.current
        try session.requireSeparate(output, from: file.address.files + keys.files)
        let (store, _) = try file.openForReading(keys, session)
        defer { try? store.close() }
        let attribute = try store.storedAttribute(attribute, of: entity)
        let path = try part.path
        let comesInPieces = output.raw ? attribute.hasBytes : attribute.givesPieces
        if path == nil, !part.json, encoded.notation == nil, comesInPieces, session.takesPieces(output) {
            return try writePieces(of: attribute, in: store, session)
        }
        let isStored = path == nil && (output.raw || encoded.notation != nil)
        let content = try tenant.read(store) { context in
            let object = try context.object(ObjectID(entity: entity, number: id))
            guard !part.json else { return try document(of: attribute, path, in: object) }
            if let path { return try attribute.content(of: path, in: object, isRaw: output.raw) }
            return isStored
                ? try storedContent(of: attribute, in: object)
                : try attribute.content(in: object, format: output.format)
        }
        try session.write(content.confidential(attribute.isConfidential && !isStored), to: output)
    }

    private func document(of attribute: AttributeInfo, _ path: PartPath?, in object: ManagedObject) throws -> Content {
        let members = [
            (name: "entity", json: JSONText.string(object.id.entity)), (name: "id", json: "\(object.id.number)"),
            (name: "attribute", json: JSONText.string(attribute.name)),
        ]
        guard let notation = encoded.notation else {
            return part.document(members, "value", try attribute.json(of: path, in: object))
        }
        let bytes = try object.storedValue(attribute.name) == .null ? nil : storedBytes(of: attribute, in: object)
        return part.document(members, "stored", bytes.map { JSONText.bytes($0, notation) } ?? "null")
    }

    private func writePieces(of attribute: AttributeInfo, in store: Store, _ session: Session) throws {
        try tenant.read(store) { context in
            let object = try context.object(ObjectID(entity: entity, number: id))
            try session.write(to: output, isConfidential: !output.raw && attribute.isConfidential) { put in
                let isThere = try object.forEachPiece(of: attribute.name, isStored: output.raw) { piece in
                    try put(piece)
                    return true
                }
                guard isThere else { throw CommandError(.noInput, "\(object.id) has no value for “\(attribute.name)”") }
            }
        }
    }

    private func storedContent(of attribute: AttributeInfo, in object: ManagedObject) throws -> Content {
        let stored = try object.storedValue(attribute.name)
        guard stored != .null else {
            throw CommandError(.noInput, "\(object.id) has no value for “\(attribute.name)”")
        }
        let bytes = try storedBytes(of: attribute, in: object)
        return Content(bytes: encoded.notation?.text(of: bytes) ?? bytes, isLine: encoded.notation != nil)
    }

    private func storedBytes(of attribute: AttributeInfo, in object: ManagedObject) throws -> Data {
        if let bytes = try object.encodedBytes(attribute.name) { return bytes }
        throw CommandError(.usage, "“\(attribute.name)” is stored as a number, so it has no bytes to show")
    }
}
