public import Foundation
public import Transformable

/// A plugin for points, sizes, rectangles, vectors, ranges, insets, and affine transforms, as text or packed bytes.
///
/// In addition to the seven transformers, it contains one-way projections of single measures, such as `rect-area`, for
/// use in conditions and indexes.
public struct GeometryPlugin: TransformerPlugin {
    /// The plugin's name, “geometry”.
    public let name = "geometry"

    /// Creates the plugin.
    public init() {}

    /// The transformers and projections.
    public var registrations: [Registration] {
        Registration.geometry("point", "a point", CGPoint.self)
        Registration.geometry("size", "a size", CGSize.self)
        Registration.geometry("rect", "a rect", CGRect.self)
        Registration.geometry("vector", "a vector", Vector.self)
        Registration.geometry("insets", "insets", NSEdgeInsets.self)
        Registration.geometry("affine-transform", "a transform", AffineTransform.self)
        Registration.range
        Registration.measures
    }
}

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
            .reading("form", "text in braces, or 8-byte doubles", default: GeometryForm.text),
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
        .reading("form", "text in braces, or 8-byte integers", default: GeometryForm.text)
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

extension TypedExpression where Value == CGPoint {
    /// A point as text: `{1, 2}`.
    public static var point: Self { Self("point") }
}

extension TypedExpression where Value == CGSize {
    /// A size as text: `{3, 4}`.
    public static var size: Self { Self("size") }
}

extension TypedExpression where Value == CGRect {
    /// A rectangle as text: `{{1, 2}, {3, 4}}`.
    public static var rect: Self { Self("rect") }
}

extension TypedExpression where Value == Vector {
    /// A vector as text.
    public static var vector: Self { Self("vector") }
}

extension TypedExpression where Value == NSEdgeInsets {
    /// Insets as text.
    public static var insets: Self { Self("insets") }
}

extension TypedExpression where Value == AffineTransform {
    /// An affine transform as text.
    public static var affineTransform: Self { Self("affine-transform") }
}

extension TypedExpression where Value == NSRange {
    /// A range as text that contains its location and length.
    public static var range: Self { Self("range") }
}

extension TypedExpression where Value == Range<Int> {
    /// A range as text that contains its location and length.
    public static var range: Self { Self("range") }
}
