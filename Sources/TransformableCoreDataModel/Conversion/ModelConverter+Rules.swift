internal import Transformable
internal import TransformableModel

extension ModelConverter {
    /// Converts the limits and the pattern that values are checked against.
    mutating func convertRules(
        of attribute: CoreDataAttribute,
        into result: inout AttributeDescription,
        place: CoreDataNote
    ) {
        var rules = ValidationRules()
        let limits = [("minimum", attribute.minimum), ("maximum", attribute.maximum)]
        for (name, text) in limits {
            guard let text else { continue }
            if result.isTransient || !rules.set(name, text, attribute.type) {
                note("dropped the \(name) \(text)", place)
            }
        }
        if let pattern = attribute.pattern {
            if attribute.type == .string, !result.isTransient, (try? ValueRules.expression(pattern)) != nil {
                rules.pattern = pattern
            } else {
                note("dropped the pattern “\(pattern)”", place)
            }
        }
        if rules.isEmptyRange {
            note("dropped the minimum and the maximum, because the minimum is greater than the maximum", place)
            rules = ValidationRules(pattern: rules.pattern)
        }
        result.validation = rules
    }
}

extension ValidationRules {
    /// Sets a limit, and returns whether it can be expressed.
    fileprivate mutating func set(_ name: String, _ text: String, _ type: CoreDataAttributeType) -> Bool {
        switch type {
        case .string:
            guard let length = Int(text), length >= 0 else { return false }
            if name == "minimum" { minimumLength = length } else { maximumLength = length }
        case .integer16, .integer32, .integer64, .float, .double, .decimal:
            // A limit that a double cannot represent exactly would be a different limit.
            guard let number = Double(text), number.isFinite,
                Int64(text) == nil || Int64(text) == Int64(exactly: number)
            else { return false }
            if name == "minimum" { minimum = number } else { maximum = number }
        default:
            return false
        }
        return true
    }

    fileprivate var isEmptyRange: Bool {
        (minimum ?? -.infinity) > (maximum ?? .infinity) || (minimumLength ?? 0) > (maximumLength ?? .max)
    }
}

extension CoreDataDefaultValue {
    /// Returns the default for an attribute of a model of this library, or `nil` if it cannot have it.
    func converted(for type: AttributeType) -> DefaultValue? {
        switch self {
        case .integer(let number): type.integers?.contains(number) == true ? .integer(number) : nil
        case .number(let number): [.float, .double].contains(type) ? Self.number(number) : nil
        case .boolean(let value): type == .boolean ? .boolean(value) : nil
        case .date(let seconds): Self.text(DateText.text(ofSeconds: seconds), as: type)
        case .decimal(let text): Self.text(text, as: type)
        case .string(let text): type == .string ? .string(text) : Self.text(text, as: type)
        case .data, .invalid: nil
        }
    }

    /// Returns a number in the form that it also has after it was written as JSON and read back.
    private static func number(_ number: Double) -> DefaultValue? {
        guard number.isFinite else { return nil }
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    private static func text(_ text: String, as type: AttributeType) -> DefaultValue? {
        PlainText.column(text, as: type) == nil ? nil : .string(text)
    }
}
