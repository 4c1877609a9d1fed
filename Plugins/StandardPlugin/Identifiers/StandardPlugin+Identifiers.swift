internal import Foundation
internal import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var identifiers: [Registration] {
        Registration(
            "url",
            summary: "a URL as text",
            form: .text(URLTransformer(allowsRelative: true)),
            .reading("relative", "whether a URL without a scheme is taken", default: false)
        ) { relative in URLTransformer(allowsRelative: relative) }
        Registration.family(
            "uuid",
            default: UUID.self,
            summary: "a UUID as text or as 16 bytes",
            form: .text(UUIDTextTransformer()),
            .reading("form", "text or bytes", default: UUIDForm.text),
            .writing("lowercase", "digits a to f in lower case", default: false)
        ) { _, form, lowercase in
            switch form {
            case .text: UUIDTextTransformer(lowercase: lowercase)
            case .bytes: UUIDBytesTransformer()
            }
        }
        Registration.family(
            "map",
            default: String.Type?.none,
            summary: "a value by a table of pairs",
            .reading("pairs", "values and their encoded forms: [[1, \"low\"], [2, \"high\"]]"),
            .reading("defaultValue", "what any other encoded form decodes to", default: MappingTerm?.none),
            .writing("defaultEncoded", "what any other value encodes to", default: MappingTerm?.none)
        ) { request, pairs, defaultValue, defaultEncoded in
            try MappingTable(pairs: pairs, defaultValue: defaultValue, defaultEncoded: defaultEncoded)
                .transformer(for: request.valueType)
        }
    }
}

/// How a UUID is written.
enum UUIDForm: String, CaseIterable, Sendable, ArgumentConvertible {
    case text
    case bytes
}
