import Foundation
import GeometryPlugin

extension AllSamples {
    static var geometry: [any SampleSet] {
        points + sizes + rects + vectors + others + ranges
    }

    /// Both signs of nothing, what is long in decimal digits, and the ends of the range.
    private static let numbers: [Double] = [
        0, -0.0, 1, -1.5, 0.1, 1 / 3, 1e21, 123_456_789.123, .pi, .greatestFiniteMagnitude, -.leastNonzeroMagnitude,
    ]

    private static let pairs = zip(numbers, numbers.reversed()).map { $0 }

    private static let rejectedText: [any Sendable] = [
        "", "{", "{1}", "{1, 2", "{1, 2}}", "{a, b}", "{1, 2} x", "{1,, 2}",
    ]

    private static let forms = ["", "(style: apple)", "(form: packed)"]

    private static var points: [any SampleSet] {
        let points = pairs.map { CGPoint(x: $0, y: $1) }
        return forms.map { Samples("point\($0)", points, rejected: rejectedText) }
            + [
                Samples("point-x", points).ordered { $0.x },
                Samples("point-y", points).ordered { $0.y },
            ]
    }

    private static var sizes: [any SampleSet] {
        let sizes = pairs.map { CGSize(width: $0, height: $1) }
        return forms.map { Samples("size\($0)", sizes, rejected: rejectedText) }
            + [
                Samples("size-width", sizes).ordered { $0.width },
                Samples("size-height", sizes).ordered { $0.height },
                Samples("size-area", [.zero, CGSize(width: 3, height: 4)]).ordered { $0.width * $0.height },
            ]
    }

    private static var rects: [any SampleSet] {
        let rects = pairs.map { CGRect(x: $0, y: $1, width: $1, height: $0) }
        let small = [CGRect.zero, CGRect(x: 1, y: -2, width: 3, height: 4.5), CGRect(x: 0, y: 0, width: -1, height: 1)]
        return forms.map { Samples("rect\($0)", rects + small, rejected: rejectedText) }
            + [
                Samples("rect-min-x", small).ordered { $0.minX },
                Samples("rect-mid-x", small).ordered { $0.midX },
                Samples("rect-max-x", small).ordered { $0.maxX },
                Samples("rect-min-y", small).ordered { $0.minY },
                Samples("rect-mid-y", small).ordered { $0.midY },
                Samples("rect-max-y", small).ordered { $0.maxY },
                Samples("rect-width", small).ordered { $0.width },
                Samples("rect-height", small).ordered { $0.height },
                Samples("rect-area", small).ordered { $0.width * $0.height },
            ]
    }

    private static var vectors: [any SampleSet] {
        let vectors = pairs.map { Vector(dx: $0, dy: $1) }
        return forms.map { Samples("vector\($0)", vectors, rejected: rejectedText) }
            + [
                Samples("vector-dx", vectors).ordered { $0.dx },
                Samples("vector-dy", vectors).ordered { $0.dy },
                Samples("vector-length", [.zero, Vector(dx: 3, dy: -4)]).ordered { hypot($0.dx, $0.dy) },
            ]
    }

    private static var others: [any SampleSet] {
        let insets = pairs.map { NSEdgeInsets(top: $0, left: $1, bottom: $1, right: $0) }
        let transforms = pairs.map { AffineTransform(m11: $0, m12: $1, m21: 0, m22: 1, tX: $1, tY: $0) }
        return forms.flatMap { form -> [any SampleSet] in
            [
                Samples("insets\(form)", insets, rejected: rejectedText) { NSEdgeInsetsEqual($0, $1) },
                Samples("affine-transform\(form)", transforms, rejected: rejectedText),
            ]
        }
    }

    private static var ranges: [any SampleSet] {
        let foundation = [NSRange(), NSRange(location: 3, length: 4), NSRange(location: 0, length: .max)]
        let swift = [0..<0, 3..<7, 0..<Int.max]
        return ["range", "range(form: packed)"]
            .flatMap { expression -> [any SampleSet] in
                [Samples(expression, foundation), Samples(expression, swift)]
            }
            + [
                Samples("range-location", foundation).ordered { $0.location },
                Samples("range-location", swift).ordered { $0.lowerBound },
                Samples("range-length", foundation).ordered { $0.length },
                Samples("range-length", swift).ordered { $0.count },
                Samples("range-end", foundation).ordered { $0.location + $0.length },
                Samples("range-end", swift).ordered { $0.upperBound },
            ]
    }
}
