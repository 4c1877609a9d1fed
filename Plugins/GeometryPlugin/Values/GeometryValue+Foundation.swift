public import Foundation

extension CGPoint: GeometryValue {
    /// The layout of a point, `{x, y}`.
    public static let layout = GeometryLayout(["x", "y"])

    /// The coordinates of the point.
    public var numbers: [Double] { [x.native, y.native] }

    /// Creates a point from its coordinates.
    public init(numbers: [Double]) {
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension CGSize: GeometryValue {
    /// The layout of a size, `{width, height}`.
    public static let layout = GeometryLayout(["width", "height"])

    /// The width and the height.
    public var numbers: [Double] { [width.native, height.native] }

    /// Creates a size from its width and height.
    public init(numbers: [Double]) {
        self.init(width: numbers[0], height: numbers[1])
    }
}

extension CGRect: GeometryValue {
    /// The layout of a rectangle, `{{x, y}, {width, height}}`.
    public static let layout = GeometryLayout(["x", "y"], ["width", "height"])

    /// The coordinates of the origin, followed by the width and the height as stored, which can be negative.
    public var numbers: [Double] {
        [origin.x.native, origin.y.native, size.width.native, size.height.native]
    }

    /// Creates a rectangle from the coordinates of its origin, its width, and its height.
    public init(numbers: [Double]) {
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension NSEdgeInsets: GeometryValue {
    /// The layout of insets, in Apple's order: `{top, left, bottom, right}`.
    public static let layout = GeometryLayout(["top", "left", "bottom", "right"])

    /// The four distances.
    public var numbers: [Double] { [top.native, left.native, bottom.native, right.native] }

    /// Creates insets from the four distances.
    public init(numbers: [Double]) {
        self.init(
            top: CGFloat(numbers[0]),
            left: CGFloat(numbers[1]),
            bottom: CGFloat(numbers[2]),
            right: CGFloat(numbers[3])
        )
    }
}

extension AffineTransform: GeometryValue {
    /// The layout of an affine transform, `{a, b, c, d, tx, ty}`.
    ///
    /// UIKit's functions print it in brackets.
    public static let layout = GeometryLayout(["a", "b", "c", "d", "tx", "ty"], readsBrackets: true)

    /// The elements of the matrix by rows: `m11`, `m12`, `m21`, `m22`, `tX`, `tY`.
    public var numbers: [Double] {
        [m11.native, m12.native, m21.native, m22.native, tX.native, tY.native]
    }

    /// Creates a transform from the elements of its matrix by rows.
    public init(numbers: [Double]) {
        self.init(
            m11: CGFloat(numbers[0]),
            m12: CGFloat(numbers[1]),
            m21: CGFloat(numbers[2]),
            m22: CGFloat(numbers[3]),
            tX: CGFloat(numbers[4]),
            tY: CGFloat(numbers[5])
        )
    }
}

extension Vector: GeometryValue {
    /// The layout of a vector, `{dx, dy}`.
    public static let layout = GeometryLayout(["dx", "dy"])

    /// The two components.
    public var numbers: [Double] { [dx, dy] }

    /// Creates a vector from its components.
    public init(numbers: [Double]) {
        self.init(dx: numbers[0], dy: numbers[1])
    }
}
