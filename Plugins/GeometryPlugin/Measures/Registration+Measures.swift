internal import Foundation
internal import Transformable

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
