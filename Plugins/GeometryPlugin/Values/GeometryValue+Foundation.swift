public import Foundation

extension CGPoint: GeometryValue {
    /// A point's layout, `{x, y}`.
    public static let layout = GeometryLayout(["x", "y"])

    /// The coordinates.
    public var numbers: [Double] { [x.native, y.native] }

    /// Makes a point of its coordinates.
    public init(numbers: [Double]) {
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension CGSize: GeometryValue {
    /// A size's layout, `{width, height}`.
    public static let layout = GeometryLayout(["width", "height"])

    /// Width and height.
    public var numbers: [Double] { [width.native, height.native] }

    /// Makes a size of width and height.
    public init(numbers: [Double]) {
        self.init(width: numbers[0], height: numbers[1])
    }
}

extension CGRect: GeometryValue {
    /// A rect's layout, `{{x, y}, {width, height}}`.
    public static let layout = GeometryLayout(["x", "y"], ["width", "height"])

    /// The origin's coordinates, then width and height as they are stored, negative ones included.
    public var numbers: [Double] {
        [origin.x.native, origin.y.native, size.width.native, size.height.native]
    }

    /// Makes a rect of its origin's coordinates, width and height.
    public init(numbers: [Double]) {
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension NSEdgeInsets: GeometryValue {
    /// The insets' layout, in Apple's order: `{top, left, bottom, right}`.
    public static let layout = GeometryLayout(["top", "left", "bottom", "right"])

    /// The four distances.
    public var numbers: [Double] { [top.native, left.native, bottom.native, right.native] }

    /// Makes insets of the four distances.
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
    /// An affine transform's layout, `{a, b, c, d, tx, ty}`; UIKit's functions print it in brackets.
    public static let layout = GeometryLayout(["a", "b", "c", "d", "tx", "ty"], readsBrackets: true)

    /// The matrix by rows: `m11`, `m12`, `m21`, `m22`, `tX`, `tY`.
    public var numbers: [Double] {
        [m11.native, m12.native, m21.native, m22.native, tX.native, tY.native]
    }

    /// Makes a transform of its matrix by rows.
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
    /// A vector's layout, `{dx, dy}`.
    public static let layout = GeometryLayout(["dx", "dy"])

    /// The two parts.
    public var numbers: [Double] { [dx, dy] }

    /// Makes a vector of its two parts.
    public init(numbers: [Double]) {
        self.init(dx: numbers[0], dy: numbers[1])
    }
}
