internal import Foundation
public import Transformable

/// The human forms of plain types that have no lossless text in Swift.
package enum PlainForm {
    package static func form(for type: any Any.Type) -> AnyHumanForm? {
        switch type {
        case is Date.Type: date
        case is UUID.Type: uuid
        case is URL.Type: url
        case is Decimal.Type: decimal
        default: .automatic(for: type)
        }
    }

    fileprivate static let date = AnyHumanForm(.text(parse: parse(as: .date), print: DateText.text(of:)))
    private static let uuid = AnyHumanForm(.text(parse: parse(as: .uuid)) { (uuid: UUID) in uuid.uuidString })
    private static let url = AnyHumanForm(.text(parse: parse(as: .url)) { (url: URL) in URLText.text(of: url) })
    private static let decimal = AnyHumanForm(
        .text(parse: parse(as: .decimal)) { (number: Decimal) in DecimalText.text(of: number) }
    )

    private static func parse<Value: PlainValue>(as type: AttributeType) -> @Sendable (String) throws -> Value {
        { text in
            guard let column = PlainText.column(text, as: type) else {
                throw PlainText.fault(text, as: type)
                    ?? TransformerError.invalidData("the text is not a value of type “\(type.rawValue)”")
            }
            return try Value(column: column)
        }
    }
}

extension AttributeType {
    /// The human form of dates: ISO 8601 with as many fractional digits as the second has.
    public static let dateForm: AnyHumanForm = PlainForm.date
}
