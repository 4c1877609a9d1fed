internal import Foundation
internal import Transformable

extension Registration {
    /// Returns the registration of a geometry value, as text or packed bytes.
    static func geometry<Value: GeometryValue>(
        _ name: TransformerName,
        _ noun: String,
        _ type: Value.Type
    ) -> Self {
        .family(
            name,
            default: type,
            summary: "\(noun) as \(Value.layout), or packed",
            form: .text(GeometryTransformer<Value>()),
            .reading("form", "text in braces, or doubles of 8 bytes", default: GeometryForm.text),
            .writing("style", "how numbers are written in text", default: NumberStyle.shortest)
        ) { _, form, style in
            switch (form, style) {
            case (.text, _): GeometryTransformer<Value>(style: style)
            case (.packed, .shortest): PackedGeometryTransformer<Value>()
            case (.packed, .apple): throw TransformerError.styleOfPacked(style)
            }
        }
    }

    /// The registration of ranges of either Swift type, as text or packed bytes.
    static let range = Registration.family(
        "range",
        default: NSRange.self,
        summary: "a range as {location, length}, or packed",
        form: .text(RangeTransformer<NSRange>()),
        .reading("form", "text in braces, or integers of 8 bytes", default: GeometryForm.text)
    ) { request, form in
        request.valueType == Range<Int>.self
            ? transformer(of: Range<Int>.self, form: form)
            : transformer(of: NSRange.self, form: form)
    }

    private static func transformer<Value: IntegerRange>(
        of type: Value.Type,
        form: GeometryForm
    ) -> any OneWayTransformer {
        switch form {
        case .text: RangeTransformer<Value>()
        case .packed: PackedRangeTransformer<Value>()
        }
    }
}

extension TransformerError {
    fileprivate static func styleOfPacked(_ style: NumberStyle) -> Self {
        Self(.invalidArgument, "packed numbers have no style; omit “style: \(style.rawValue)”")
    }
}
