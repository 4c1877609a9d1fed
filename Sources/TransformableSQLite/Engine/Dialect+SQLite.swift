internal import Foundation
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

extension TextSQL {
    fileprivate static let sqlite = Self(
        // SQLite counts characters only up to a NUL.
        isASCII: { "length(\($0)) = length(CAST(\($0) AS BLOB))" },
        contains: { "instr(\($0), \(.text($1))) > 0" },
        begins: range,
        ends: { "substr(CAST(\($0) AS BLOB), \(.integer(-Int64($1.utf8.count)))) = \(.blob(Data($1.utf8)))" },
        mayDiffer: TextIndex.mayDiffer
    )

    /// Returns a range for a prefix, which can use an index because bytes compare like the text.
    private static func range(_ column: SQLFragment, _ text: String) -> SQLFragment {
        var end = Data(text.utf8)
        // UTF-8 never contains the byte 255, so the last byte has a successor.
        if let last = end.popLast() { end.append(last + 1) }
        return "(\(column) >= \(.text(text)) AND \(column) < \(.brokenText(end)))"
    }
}
