internal import Foundation
internal import TransformableModel

/// The default of an attribute as Swift code: the initial value of the property, and the option that states the
/// model's form of it.
struct DefaultCode {
    /// The initial value.
    let initial: String
    /// The option, or `nil` if `@Entity` derives it from the initial value.
    let option: String?

    /// Returns `nil` if Swift code cannot express the default.
    ///
    /// - Parameters:
    ///   - value: The default.
    ///   - type: The attribute's type.
    ///   - swift: The Swift type of the values.
    init?(_ value: DefaultValue, for type: AttributeType, as swift: SwiftType) {
        let column = type == .transformed ? Self.columnTypes[swift.text] : type
        guard let column, let initial = Self.initial(value, column, swift) else { return nil }
        self.initial = initial.text
        let isDerived = initial.isLiteral && swift.isWrittenPlainly && type != .transformed
        option = isDerived ? nil : ".default(\(Self.code(value)))"
    }

    /// Returns the model's form of a default as Swift code.
    static func code(_ value: DefaultValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): SwiftText.literal(text)
        case .boolean(let flag): "\(flag)"
        case .now: ".now"
        case .newUUID: ".newUUID"
        }
    }

    /// The types of transformed values that have literals.
    private static let columnTypes: [String: AttributeType] = [
        "Bool": .boolean, "Double": .double, "Float": .float, "Int64": .int64, "String": .string,
    ]

    private typealias Initial = (text: String, isLiteral: Bool)

    private static func initial(_ value: DefaultValue, _ type: AttributeType, _ swift: SwiftType) -> Initial? {
        switch (value, type) {
        case (.boolean, .boolean), (.integer, .float), (.integer, .double), (.integer, .decimal), (.number, .float),
            (.number, .double):
            (code(value), true)
        case (.integer, _) where type.integers != nil: (code(value), true)
        case (.now, .date): (".now", true)
        case (.newUUID, .uuid): ("\(swift.text)()", true)
        case (.string(let text), .string): (SwiftText.literal(text), true)
        case (.number(let number), .decimal): parsed("\(number)", .decimal, swift).map { ($0, false) }
        case (.string(let text), _): parsed(text, type, swift).map { ($0, false) }
        default: nil
        }
    }

    /// Returns the value that a string stands for, or `nil` if code cannot express it.
    private static func parsed(_ text: String, _ type: AttributeType, _ swift: SwiftType) -> String? {
        switch (PlainText.column(text, as: type), type) {
        case (.integer(let number)?, .boolean): number == 1 ? "true" : "false"
        case (.integer(let number)?, _): "\(number)"
        case (.real(let seconds)?, .date):
            "\(swift.text)(timeIntervalSinceReferenceDate: \(SwiftText.literal(seconds)))"
        case (.real(let number)?, _): SwiftText.literal(number)
        case (.text(let digits)?, .decimal): "\(swift.text)(string: \"\(digits)\")!"
        case (.text(let id)?, .uuid): "\(swift.text)(uuidString: \"\(id)\")!"
        case (.text(let url)?, .url):
            URL(string: url)?.absoluteString == url ? "\(swift.text)(string: \(SwiftText.literal(url)))!" : nil
        default: nil
        }
    }
}
