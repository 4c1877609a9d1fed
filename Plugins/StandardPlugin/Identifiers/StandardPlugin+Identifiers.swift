internal import Foundation
internal import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var identifiers: [Registration] {
        Registration(
            "url",
            summary: "a URL as text",
            form: .text(URLTransformer(allowsRelative: true)),
            .reading("relative", "whether a URL without a scheme is allowed", default: false)
        ) { relative in URLTransformer(allowsRelative: relative) }
        Registration.family(
            "uuid",
            default: UUID.self,
            summary: "a UUID as text or as 16 bytes",
            form: .text(UUIDTextTransformer()),
            .reading("form", "text or bytes", default: UUIDForm.text),
            .writing("lowercase", "whether the digits a to f are lowercase", default: false)
        ) { _, form, lowercase in
            switch form {
            case .text: UUIDTextTransformer(lowercase: lowercase)
            case .bytes: UUIDBytesTransformer()
            }
        }
        Registration.family(
            "map",
            default: String.Type?.none,
            summary: "a value looked up in a table",
            .reading("pairs", "values and their encoded forms: [[1, \"low\"], [2, \"high\"]]"),
            .reading("defaultValue", "the value for any other encoded form", default: MappingTerm?.none),
            .writing("defaultEncoded", "the encoded form of any other value", default: MappingTerm?.none)
        ) { request, pairs, defaultValue, defaultEncoded in
            try MappingTable(pairs: pairs, defaultValue: defaultValue, defaultEncoded: defaultEncoded)
                .transformer(for: request.valueType)
        }
    }
}

/// The stored form of a UUID.
enum UUIDForm: String, CaseIterable, Sendable, ArgumentConvertible {
    case text
    case bytes
}
