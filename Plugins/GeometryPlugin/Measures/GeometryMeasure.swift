public import Foundation
public import Transformable

/// One number that is measured on a geometry value, for conditions and indexes.
///
/// A measure is a projection: it only encodes. Values such as rects have no order of their own, and
/// a measure gives them one. Negative zero comes out as zero, so that equal values have equal measures;
/// a coordinate that is NaN gives NaN, which SQLite keeps as NULL.
public struct GeometryMeasure<Value: Sendable>: OneWayTransformer {
    private let measure: @Sendable (Value) -> Double

    /// Makes a measure of a function.
    ///
    /// - Parameter measure: Gives the number; equal values must have equal ones.
    public init(_ measure: @escaping @Sendable (Value) -> Double) {
        self.measure = measure
    }

    /// Equal values have equal measures, and these compare as numbers.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Measures the value.
    public func encode(_ value: Value, in context: TransformContext) -> Double {
        measure(value) + 0.0
    }
}

extension GeometryMeasure<CGPoint> {
    /// The x coordinate.
    public static let x = Self { $0.x.native }
    /// The y coordinate.
    public static let y = Self { $0.y.native }
}

extension GeometryMeasure<CGSize> {
    /// The width as it is stored, possibly negative.
    public static let width = Self { $0.width.native }
    /// The height as it is stored, possibly negative.
    public static let height = Self { $0.height.native }
    /// The area, never negative.
    public static let area = Self { ($0.width * $0.height).native.magnitude }
}

extension GeometryMeasure<CGRect> {
    /// The smallest x coordinate.
    public static let minX = covered { $0.origin.x }
    /// The x coordinate of the center.
    public static let midX = covered { $0.origin.x + $0.size.width / 2 }
    /// The largest x coordinate; infinite beyond the largest double.
    public static let maxX = covered { $0.origin.x + $0.size.width }
    /// The smallest y coordinate.
    public static let minY = covered { $0.origin.y }
    /// The y coordinate of the center.
    public static let midY = covered { $0.origin.y + $0.size.height / 2 }
    /// The largest y coordinate; infinite beyond the largest double.
    public static let maxY = covered { $0.origin.y + $0.size.height }
    /// The width, never negative.
    public static let width = covered { $0.size.width }
    /// The height, never negative.
    public static let height = covered { $0.size.height }
    /// The area, never negative; infinite beyond the largest double.
    public static let area = covered { $0.size.width * $0.size.height }

    /// Measures what a rect covers, by its standardized form.
    ///
    /// Rects are equal if their standardized forms are, so only these give equal rects equal measures. All
    /// rects with a coordinate of positive infinity are one and the same, the null rect.
    private static func covered(_ measure: @escaping @Sendable (CGRect) -> CGFloat) -> Self {
        Self { measure($0.isNull ? .null : $0.standardized).native }
    }
}

extension GeometryMeasure<Vector> {
    /// The part along the x axis.
    public static let dx = Self { $0.dx }
    /// The part along the y axis.
    public static let dy = Self { $0.dy }
    /// The length.
    public static let length = Self { hypot($0.dx, $0.dy) }
}
