/// Limits on structured text and property lists, which protect against malicious input.
enum StructureLimit {
    /// The maximum nesting of arrays and dictionaries, which is that of JSON in Foundation.
    static let depth = 512
    /// The maximum number of values that a property list with shared objects can expand to.
    static let values = 1 << 24
}
