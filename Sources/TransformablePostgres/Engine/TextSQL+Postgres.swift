internal import TransformableStore

extension TextSQL {
    /// Columns of text have the collation “C”.
    static let postgres = Self(
        isASCII: { "octet_length(\($0)) = char_length(\($0))" },
        contains: { "strpos(\($0), \(.text($1))) > 0" },
        // With the collation “C”, PostgreSQL looks such prefixes up in an index.
        begins: { "starts_with(\($0), \(.text($1)))" },
        ends: { "right(\($0), \(.integer(Int64($1.unicodeScalars.count)))) = \(.text($1))" },
        // Columns of other types are compared as well.
        mayDiffer: { "(\($0))::text IS NOT NFC NORMALIZED" }
    )
}
