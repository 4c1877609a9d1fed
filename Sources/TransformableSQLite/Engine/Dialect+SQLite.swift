internal import TransformableStore

extension Dialect {
    static let sqlite = Self(
        name: "SQLite",
        features: [
            .rowTags, .temporaryViews, .lengthsOfCells, .exclusiveWriter, .statementRollback,
            .externalFiles,
            .dynamicTypes,
        ],
        definitions: "\"sqlite_master\"",
        text: .sqlite
    )
}
