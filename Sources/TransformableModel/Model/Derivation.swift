internal import Foundation

/// A rule that computes an attribute's value from the rest of its object.
///
/// A derived attribute can be read, but not set. In JSON, a derivation is written as in Core Data:
///
/// | In code | In JSON | Value |
/// |---|---|---|
/// | `.count(of: "visits")` | `visits.@count` | The number of objects in a to-many relationship |
/// | `.lowercased("name")` | `lowercase:(name)` | The text in lower case |
/// | `.uppercased("name")` | `uppercase:(name)` | The text in upper case |
/// | `.folded("name")` | `canonical:(name)` | The text without case and diacritics, for searching and sorting |
/// | `.dateOfChange` | `now()` | When the object's row was last written |
///
/// A count is computed whenever it is read, so its attribute has no column. All others are stored: they change when the
/// object is saved, and can be indexed. The case of text does not depend on the locale.
public enum Derivation: Sendable, Hashable {
    /// The number of objects in a to-many relationship, as an integer.
    case count(of: String)
    /// The value of a plain text attribute in lower case.
    case lowercased(String)
    /// The value of a plain text attribute in upper case.
    case uppercased(String)
    /// The value of a plain text attribute without case and diacritics.
    case folded(String)
    /// The time at which the object's row was last written.
    case dateOfChange

    /// The attribute that text is derived from, or `nil` for any other derivation.
    public var sourceAttribute: String? {
        switch self {
        case .lowercased(let name), .uppercased(let name), .folded(let name): name
        case .count, .dateOfChange: nil
        }
    }

    /// Returns text that is derived from other text, or `nil` if this derivation is not one of text.
    ///
    /// - Parameter text: The source attribute's value.
    /// - Returns: The derived value.
    package func text(from text: String) -> String? {
        switch self {
        case .lowercased: text.lowercased()
        case .uppercased: text.uppercased()
        case .folded: text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        case .count, .dateOfChange: nil
        }
    }

    /// Returns the reason why an attribute of a type cannot have this derivation, or `nil` if it can.
    func fault(of type: AttributeType) -> String? {
        switch self {
        case .count: type.integers == nil ? "is a count, but is not an integer" : nil
        case .dateOfChange: type == .date ? nil : "is the time of a change, but is not a date"
        default: type == .string ? nil : "is derived text, but is not text"
        }
    }
}

extension Derivation: LosslessStringConvertible {
    private static let functions: [(name: String, make: @Sendable (String) -> Self)] = [
        ("lowercase", { .lowercased($0) }), ("uppercase", { .uppercased($0) }), ("canonical", { .folded($0) }),
    ]

    /// The derivation in its form in JSON.
    public var description: String {
        switch self {
        case .count(let relationship): "\(relationship).@count"
        case .lowercased(let attribute): "lowercase:(\(attribute))"
        case .uppercased(let attribute): "uppercase:(\(attribute))"
        case .folded(let attribute): "canonical:(\(attribute))"
        case .dateOfChange: "now()"
        }
    }

    /// Creates a derivation from its form in JSON, or returns `nil` if the text is not one of the forms above.
    ///
    /// - Parameter description: The text, such as `visits.@count`.
    public init?(_ description: String) {
        let text = description.filter { !$0.isWhitespace }
        if text == "now()" {
            self = .dateOfChange
        } else if text.hasSuffix(".@count"), Self.isName(text.dropLast(7)) {
            self = .count(of: String(text.dropLast(7)))
        } else {
            let found = Self.functions.lazy.compactMap { name, make -> Self? in
                guard text.hasPrefix("\(name):("), text.hasSuffix(")") else { return nil }
                let argument = text.dropFirst(name.count + 2).dropLast()
                return Self.isName(argument) ? make(String(argument)) : nil
            }
            guard let derivation = found.first else { return nil }
            self = derivation
        }
    }

    private static func isName(_ text: Substring) -> Bool {
        ModelValidator.fault(ofName: String(text)) == nil
    }
}
