/// A property of a generated class.
struct PropertyCode {
    /// The name in the model.
    let name: String
    /// The mark in front of the declaration, such as `@Attribute(.indexed)`, or an empty string.
    let mark: String
    /// The type, as it is written.
    private let type: String
    /// The initial value, or `nil`.
    let initial: String?
    /// Whether an initializer has to set the property.
    let needsValue: Bool
    /// The expression that computes the value, or `nil` if the property is stored.
    var computation: String?
    /// Whether only the store sets the property.
    var isDerived = false

    init(_ name: String, mark: String, type: String, initial: String? = nil, needsValue: Bool = false) {
        self.name = name
        self.mark = mark
        self.type = type
        self.initial = initial
        self.needsValue = needsValue
    }

    /// Returns the declaration.
    func declaration(_ access: String) -> String {
        let modifiers = isDerived ? "\(access)private(set) " : access
        let start = mark.isEmpty ? modifiers : "\(mark) \(modifiers)"
        let end = computation.map { " { \($0) }" } ?? initial.map { " = \($0)" } ?? ""
        return "\(start)var \(SwiftText.identifier(name)): \(type)\(end)"
    }

    /// The parameter of an initializer.
    var parameter: String { "\(SwiftText.identifier(name)): \(type)" }

    /// The argument of a call of an initializer.
    var argument: String { "\(SwiftText.identifier(name)): \(SwiftText.identifier(name))" }

    /// The assignment in an initializer.
    var assignment: String { "self.\(SwiftText.identifier(name)) = \(SwiftText.identifier(name))" }

    /// Names that an entity class has already, or that Swift code cannot use for a property.
    static let unavailable: Set<String> = [
        "Protocol", "Type", "awakeFromFetch", "awakeFromInsert", "didSave", "hashValue", "managedObject",
        "persistentID", "prepareForDeletion", "self", "validateForDelete", "validateForInsert", "validateForUpdate",
        "willSave",
    ]
}
