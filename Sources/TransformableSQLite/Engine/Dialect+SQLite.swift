internal import TransformableStore

extension Dialect {
    static let sqlite = Self(
        name: "SQLite",
        features: [
            .rowTags, .temporaryViews, .schemaChanges, .triggers, .textIndexes, .lengthsOfCells, .exclusiveWriter,
            .statementRollback, .externalFiles, .dynamicTypes,
        ],
        definitions: "\"sqlite_master\"",
        text: .sqlite
    )
}
