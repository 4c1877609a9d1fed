public import Foundation
public import Transformable

/// A number that is computed from a geometry value, for use in conditions and indexes.
///
/// A measure is a projection, so it can only encode. Values such as rectangles have no order of their own, but their
/// measures do. Negative zero becomes zero, so that equal values have equal measures. If a coordinate is NaN, the
/// measure is NaN, which SQLite stores as NULL.
public struct GeometryMeasure<Value: Sendable>: OneWayTransformer {
    private let measure: @Sendable (Value) -> Double

    /// Creates a measure from a function.
    ///
    /// - Parameter measure: A function that returns the number. Equal values must have equal numbers.
    public init(_ measure: @escaping @Sendable (Value) -> Double) {
        self.measure = measure
    }

    /// The traits of the measure.
    ///
    /// Equal values have equal measures, which are compared as numbers.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Returns the measure of a value.
    public func encode(_ value: Value, in context: TransformContext) -> Double {
        measure(value) + 0.0
    }
}

extension GeometryMeasure<CGPoint> {
    /// The x-coordinate.
    public static let x = Self { $0.x.native }
    /// The y-coordinate.
    public static let y = Self { $0.y.native }
}

extension GeometryMeasure<CGSize> {
    /// The width as stored, which can be negative.
    public static let width = Self { $0.width.native }
    /// The height as stored, which can be negative.
    public static let height = Self { $0.height.native }
    /// The area, which is never negative.
    public static let area = Self { ($0.width * $0.height).native.magnitude }
}

extension GeometryMeasure<CGRect> {
    /// The smallest x-coordinate.
    public static let minX = covered { $0.origin.x }
    /// The x-coordinate of the center.
    public static let midX = covered { $0.origin.x + $0.size.width / 2 }
    /// The largest x-coordinate, which is infinite if it does not fit in a double.
    public static let maxX = covered { $0.origin.x + $0.size.width }
    /// The smallest y-coordinate.
    public static let minY = covered { $0.origin.y }
    /// The y-coordinate of the center.
    public static let midY = covered { $0.origin.y + $0.size.height / 2 }
    /// The largest y-coordinate, which is infinite if it does not fit in a double.
    public static let maxY = covered { $0.origin.y + $0.size.height }
    /// The width, which is never negative.
    public static let width = covered { $0.size.width }
    /// The height, which is never negative.
    public static let height = covered { $0.size.height }
    /// The area, which is never negative.
    ///
    /// It is infinite if it does not fit in a double.
    public static let area = covered { $0.size.width * $0.size.height }

    /// Creates a measure of a standardized rectangle.
    ///
    /// Rectangles are equal if their standardized forms are equal. Therefore, only these give equal measures for equal
    /// rectangles. All rectangles with a coordinate of positive infinity are the null rectangle.
    private static func covered(_ measure: @escaping @Sendable (CGRect) -> CGFloat) -> Self {
        Self { measure($0.isNull ? .null : $0.standardized).native }
    }
}

extension GeometryMeasure<Vector> {
    /// The x-component.
    public static let dx = Self { $0.dx }
    /// The y-component.
    public static let dy = Self { $0.dy }
    /// The length.
    public static let length = Self { hypot($0.dx, $0.dy) }
}

/// The location, length, or end of a range, for use in conditions and indexes.
public struct RangeMeasure<Value: IntegerRange>: OneWayTransformer {
    private let measure: @Sendable (_ location: Int, _ length: Int) -> Int

    private init(_ measure: @escaping @Sendable (_ location: Int, _ length: Int) -> Int) {
        self.measure = measure
    }

    /// The traits of the measure.
    ///
    /// Equal values have equal measures, which are compared as numbers.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Returns the measure of a range.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Int64 {
        let (location, length) = try value.validParts()
        return Int64(measure(location, length))
    }

    /// The start of the range.
    public static var location: Self { Self { location, _ in location } }
    /// The number of elements.
    public static var length: Self { Self { _, length in length } }
    /// The first number after the range.
    public static var end: Self { Self { location, length in location + length } }
}

extension Registration {
    /// The registrations of the projections.
    @RegistrationBuilder static var measures: [Registration] {
        measure("point-x", "x-coordinate of a point", GeometryMeasure<CGPoint>.x)
        measure("point-y", "y-coordinate of a point", GeometryMeasure<CGPoint>.y)
        measure("size-width", "width of a size", GeometryMeasure<CGSize>.width)
        measure("size-height", "height of a size", GeometryMeasure<CGSize>.height)
        measure("size-area", "area of a size", GeometryMeasure<CGSize>.area)
        measure("rect-min-x", "smallest x-coordinate of a rect", GeometryMeasure<CGRect>.minX)
        measure("rect-mid-x", "x-coordinate of the center of a rect", GeometryMeasure<CGRect>.midX)
        measure("rect-max-x", "largest x-coordinate of a rect", GeometryMeasure<CGRect>.maxX)
        measure("rect-min-y", "smallest y-coordinate of a rect", GeometryMeasure<CGRect>.minY)
        measure("rect-mid-y", "y-coordinate of the center of a rect", GeometryMeasure<CGRect>.midY)
        measure("rect-max-y", "largest y-coordinate of a rect", GeometryMeasure<CGRect>.maxY)
        measure("rect-width", "width of a rect", GeometryMeasure<CGRect>.width)
        measure("rect-height", "height of a rect", GeometryMeasure<CGRect>.height)
        measure("rect-area", "area of a rect", GeometryMeasure<CGRect>.area)
        measure("vector-dx", "x-component of a vector", GeometryMeasure<Vector>.dx)
        measure("vector-dy", "y-component of a vector", GeometryMeasure<Vector>.dy)
        measure("vector-length", "length of a vector", GeometryMeasure<Vector>.length)
        measure("range-location", "start of a range", .location, .location)
        measure("range-length", "length of a range", .length, .length)
        measure("range-end", "first number after a range", .end, .end)
    }

    private static func measure<Value: GeometryValue>(
        _ name: TransformerName,
        _ summary: String,
        _ measure: GeometryMeasure<Value>
    ) -> Registration {
        Registration(name, summary: summary, form: .text(GeometryTransformer<Value>()), measure)
    }

    private static func measure(
        _ name: TransformerName,
        _ summary: String,
        _ foundation: RangeMeasure<NSRange>,
        _ swift: RangeMeasure<Range<Int>>
    ) -> Registration {
        .family(name, default: NSRange.self, summary: summary, form: .text(RangeTransformer<NSRange>())) { request in
            let isSwift = request.valueType == Range<Int>.self
            return isSwift ? swift as any OneWayTransformer : foundation as any OneWayTransformer
        }
    }
}
