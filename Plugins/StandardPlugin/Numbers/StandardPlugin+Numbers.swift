internal import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var numbers: [Registration] {
        integers
        Registration(
            "double",
            summary: "a number as the 8 bytes of a double",
            .reading("order", "the order of the bytes", default: ByteOrder.little)
        ) { order in DoubleBytesTransformer(order: order) }
        Registration(
            "float",
            summary: "a number as the 4 bytes of a float",
            .reading("order", "the order of the bytes", default: ByteOrder.little)
        ) { order in FloatBytesTransformer(order: order) }
        numberTexts
        Registration(
            "bool",
            summary: "true or false as 1 or 0, or as words",
            .reading("true", "the word for true", default: "1"),
            .reading("false", "the word for false", default: "0")
        ) { yes, no in try BoolTransformer(true: yes, false: no) }
        columns
    }

    @RegistrationBuilder private static var integers: [Registration] {
        integer("int8", Int8.self)
        integer("int16", Int16.self)
        integer("int32", Int32.self)
        integer("int64", Int64.self)
        integer("uint8", UInt8.self)
        integer("uint16", UInt16.self)
        integer("uint32", UInt32.self)
        integer("uint64", UInt64.self)
    }

    private static func integer<Storage: FixedWidthInteger & Sendable>(
        _ name: TransformerName,
        _ storage: Storage.Type
    ) -> Registration {
        let summary = "an integer as \(Storage.bitWidth / 8) byte\(Storage.bitWidth == 8 ? "" : "s")"
        return .family(
            name,
            default: storage,
            summary: Storage.isSigned ? "\(summary), signed" : "\(summary), unsigned",
            .reading("order", "the order of the bytes", default: ByteOrder.little)
        ) { request, order in
            func make<Value: FixedWidthInteger>(_ type: Value.Type) -> any OneWayTransformer {
                IntegerBytesTransformer<Value, Storage>(order: order)
            }
            guard let type = request.valueType as? any FixedWidthInteger.Type else { return make(storage) }
            return make(type)
        }
    }

    @RegistrationBuilder private static var numberTexts: [Registration] {
        Registration.family("integer-text", default: Int64.self, summary: "an integer as decimal text") { request in
            func make<Value: FixedWidthInteger>(_ type: Value.Type) -> any OneWayTransformer {
                IntegerTextTransformer<Value>()
            }
            guard let type = request.valueType as? any FixedWidthInteger.Type else { return make(Int64.self) }
            return make(type)
        }
        Registration.family(
            "double-text",
            default: Double.self,
            summary: "a number as the shortest text that is exact"
        ) { request in
            if request.valueType == Float.self { return FloatTextTransformer() }
            return DoubleTextTransformer()
        }
        Registration(
            "decimal",
            summary: "an exact decimal number as text",
            form: .text(DecimalTransformer()),
            DecimalTransformer()
        )
        Registration.family(
            "number-format",
            default: Double.self,
            summary: "a number formatted for a locale",
            .reading("style", "decimal, percent, currency, or scientific", default: NumberFormatStyle.decimal),
            .reading("locale", "the identifier of the locale", default: "en_US"),
            .reading("currency", "the currency code, for style: currency", default: String?.none),
            .writing("minimumFraction", "the minimum number of fractional digits", default: Int?.none),
            .writing("maximumFraction", "the maximum number of fractional digits", default: Int?.none)
        ) { _, style, locale, currency, minimum, maximum in
            try NumberFormatTransformer(
                style: style,
                locale: locale,
                currency: currency,
                minimumFraction: minimum,
                maximumFraction: maximum
            )
        }
    }

    /// The transformers for projections, which convert to the two number types of a column.
    @RegistrationBuilder private static var columns: [Registration] {
        Registration.family(
            "integer",
            default: String.self,
            summary: "an integer, a Boolean, or digits as an integer"
        ) { request in
            func make<Value: FixedWidthInteger>(_ type: Value.Type) -> any OneWayTransformer {
                ColumnIntegerTransformer<Value>()
            }
            switch request.valueType {
            case let type as any FixedWidthInteger.Type: return make(type)
            case is Bool.Type: return BoolColumnTransformer()
            default: return TextToIntegerTransformer()
            }
        }
        Registration.family("real", default: String.self, summary: "a number or its text as a real column") {
            request in
            func make<Value: BinaryFloatingPoint>(_ type: Value.Type) -> any OneWayTransformer {
                ColumnRealTransformer<Value>()
            }
            switch request.valueType {
            case let type as any BinaryFloatingPoint.Type: return make(type)
            default: return TextToRealTransformer()
            }
        }
    }
}
