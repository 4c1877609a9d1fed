/// A property of a generated class.
struct PropertyCode {
    /// The name in the model.
    let name: String
    /// The mark in front of the declaration, such as `@Attribute(.indexed)`, or an empty string.
    let mark: String
    /// The type, as it is written.
    let type: String
    /// The initial value, or `nil`.
    let initial: String?
    /// Whether an initializer has to set the property.
    let needsValue: Bool

    init(_ name: String, mark: String, type: String, initial: String? = nil, needsValue: Bool = false) {
        self.name = name
        self.mark = mark
        self.type = type
        self.initial = initial
        self.needsValue = needsValue
    }

    /// Returns the declaration.
    func declaration(_ access: String) -> String {
        let start = mark.isEmpty ? access : "\(mark) \(access)"
        return "\(start)var \(SwiftText.identifier(name)): \(type)\(initial.map { " = \($0)" } ?? "")"
    }

    /// The parameter of an initializer.
    var parameter: String { "\(SwiftText.identifier(name)): \(type)" }

    /// The assignment in an initializer.
    var assignment: String { "self.\(SwiftText.identifier(name)) = \(SwiftText.identifier(name))" }

    /// Names that an entity class has already, or that Swift code cannot use for a property.
    static let unavailable: Set<String> = [
        "Protocol", "Type", "awakeFromFetch", "awakeFromInsert", "didSave", "hashValue", "managedObject",
        "persistentID", "prepareForDeletion", "self", "validateForDelete", "validateForInsert", "validateForUpdate",
        "willSave",
    ]
}
