/// An object of a class that is not known here: its class and its fields, as data.
///
/// It is written back as it was read, so that what a program does not know is not lost.
public struct ArchivedInstance: Sendable {
    /// What a field holds.
    public enum FieldValue: Sendable {
        /// A value that is an object of its own in the archive; nil for the null reference.
        case object(ArchivedValue?)
        /// A boolean, a number, a string or data that stands in the field itself.
        case inline(ArchivedValue)
        /// A list of objects.
        case objects([ArchivedValue?])
    }

    /// The class.
    public let archivedClass: ArchivedClass
    /// The fields in the order of their names.
    public let fields: [(name: String, value: FieldValue)]

    /// Makes an object of its class and fields.
    ///
    /// - Parameters:
    ///   - archivedClass: The class.
    ///   - fields: Names and values, in any order; of equal names the last one counts.
    public init(_ archivedClass: ArchivedClass, fields: [String: FieldValue]) {
        self.init(archivedClass, fields: fields.map { (name: $0, value: $1) })
    }

    init(_ archivedClass: ArchivedClass, fields: [(name: String, value: FieldValue)]) {
        self.archivedClass = archivedClass
        self.fields = fields.sorted { $0.name.precedes($1.name) }
    }

    /// Finds a field.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: Its value; nil if there is none, or if it is the null reference or a list.
    public subscript(name: String) -> ArchivedValue? {
        guard let field = fields.first(where: { $0.name.isIdentical(to: name) }) else { return nil }
        switch field.value {
        case .object(let value): return value
        case .inline(let value): return value
        case .objects: return nil
        }
    }
}
