internal import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var structured: [Registration] {
        Registration.family(
            "json",
            default: JSONValue.self,
            summary: "a value as JSON with sorted keys",
            form: JSONValue.humanForm,
            .reading(
                "dates",
                "iso8601 text, or seconds since 1970 (unix) or 2001 (reference)",
                default: JSONDates.iso8601
            ),
            .writing("pretty", "whether the JSON is indented", default: false)
        ) { request, dates, pretty in
            func make<Value: Codable>(_ type: Value.Type) -> any OneWayTransformer {
                JSONTransformer<Value>(dates: dates, pretty: pretty)
            }
            return make(try codableType(request.valueType ?? JSONValue.self))
        }
        Registration.family(
            "plist",
            default: PropertyListValue.self,
            summary: "a value as a property list",
            form: PropertyListValue.humanForm,
            .writing("format", "binary or xml; both can be decoded", default: PropertyListFormat.binary)
        ) { request, format in
            func make<Value: Codable>(_ type: Value.Type) -> any OneWayTransformer {
                PropertyListTransformer<Value>(format: format)
            }
            return make(try codableType(request.valueType ?? PropertyListValue.self))
        }
        Registration.family(
            "list",
            default: String.Type?.none,
            summary: "an array as JSON, with a transformer for elements",
            .reading("of", "the transformer of the elements, in parentheses")
        ) { request, expression in
            try ListTransformerMaker(request: request, expression: expression).transformer()
        }
    }

    private static func codableType(_ type: Any.Type) throws(TransformerError) -> any Codable.Type {
        guard let type = type as? any Codable.Type else {
            throw .unsupportedType(type, expected: "a Codable type")
        }
        return type
    }
}
