internal import Transformable

/// A store that was created without a key and has never had an object, so it contains nothing that could have been
/// tampered with.
///
/// Its tables and metadata must be the same as those of a newly created store with its model.
struct FreshStore {
    let connection: any EngineConnection
    let registry: TransformerRegistry
    /// The program's own model.
    let model: Model?

    var isFresh: Bool {
        get throws {
            guard let embedded = connection.embedded, try !embedded.hasHadRows(),
                let metadata = try? Metadata(reading: connection)
            else { return false }
            // The program's own model says more about types than the file's model.
            let isSame = model?.json == metadata.json
            guard let model = isSame ? model : try? Model(json: metadata.json) else { return false }
            var options = Store.Options(unresolved: .keepBytes)
            options.acceptsRevealing = true
            guard let likeness = try connection.makeEmptyDatabase(),
                (try? Store.validate(model, transformers: registry, options: options)) != nil,
                (try? StoreOpening(model: model, registry: registry, options: options).open(likeness)) != nil
            else { return false }
            let expected = try likeness.read { try Self.content(on: $0) }
            return try Self.content(on: connection) == expected
        }
    }

    /// Returns the content of the file, without what differs between stores and key rings.
    private static func content(on connection: any EngineConnection) throws -> [String: [SealContent.Row]]? {
        let message = try SealMessage(counter: 0, SealedTables(reading: connection))
        guard let content = SealContent(message.bytes) else { return nil }
        var sections = content.sections
        for section in SealMessage.sections {
            let own = section.columns.indices.filter { ["uuid", "keys"].contains(section.columns[$0]) }
            sections[section.name] = content.sections[section.name]?
                .map { row in
                    row.indices.map { own.contains($0) ? .null : row[$0] }
                }
        }
        return sections
    }
}
