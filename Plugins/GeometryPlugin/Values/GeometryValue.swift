public import Foundation

/// A value that consists of a fixed number of doubles.
///
/// A conforming type has both stored forms: text in braces and packed bytes. Points, sizes, rectangles, vectors,
/// insets, and affine transforms conform to this protocol, and your own types can, too.
///
/// ```swift
/// extension Circle: GeometryValue {
///     static let layout = GeometryLayout(["x", "y"], ["radius"])
///
///     var numbers: [Double] { [x, y, radius] }
///
///     init(numbers: [Double]) {
///         self.init(x: numbers[0], y: numbers[1], radius: numbers[2])
///     }
/// }
/// let circle = GeometryTransformer<Circle>()  // writes {{1, 2}, {3}}
/// ```
public protocol GeometryValue: Sendable {
    /// The layout of the numbers in braces.
    static var layout: GeometryLayout { get }

    /// The numbers, in the order of ``layout``.
    var numbers: [Double] { get }

    /// Creates a value from its numbers, preserving all of their bits.
    ///
    /// - Parameter numbers: The numbers, in the order of ``layout``.
    init(numbers: [Double])
}

/// The layout of the numbers of a geometry value, such as `{x, y}` or `{{x, y}, {width, height}}`.
public struct GeometryLayout: Sendable, Hashable {
    /// The names of the numbers, grouped by inner pair of braces.
    ///
    /// A single group has no outer pair.
    public let groups: [[String]]
    /// Whether brackets are also accepted in place of the braces around a group.
    public let readsBrackets: Bool
    /// The number of numbers.
    public let count: Int

    /// Creates a layout from the names of the numbers.
    ///
    /// - Precondition: There is at least one group, and no group is empty.
    ///
    /// - Parameters:
    ///   - groups: The names of the numbers, grouped by inner pair of braces.
    ///   - readsBrackets: Whether `[a, b]` is also accepted in place of `{a, b}`.
    public init(_ groups: [String]..., readsBrackets: Bool = false) {
        precondition(!groups.isEmpty && groups.allSatisfy { !$0.isEmpty }, "each group of a layout must have names")
        self.groups = groups
        self.readsBrackets = readsBrackets
        count = groups.reduce(0) { $0 + $1.count }
    }
}

extension GeometryLayout: CustomStringConvertible {
    /// The layout with names in place of numbers.
    public var description: String {
        let rows = groups.map { "{\($0.joined(separator: ", "))}" }
        return rows.count == 1 ? rows[0] : "{\(rows.joined(separator: ", "))}"
    }
}

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

/// A vector in the plane, corresponding to `CGVector` in Core Graphics.
public struct Vector: Hashable, Sendable {
    /// The x-component.
    public var dx: Double
    /// The y-component.
    public var dy: Double

    /// Creates a vector from its components.
    public init(dx: Double, dy: Double) {
        self.dx = dx
        self.dy = dy
    }

    /// The zero vector.
    public static let zero = Self(dx: 0, dy: 0)
}

extension Vector: Codable {
    /// Decodes two numbers from an unkeyed container, like `CGVector`.
    public init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        dx = try numbers.decode(Double.self)
        dy = try numbers.decode(Double.self)
    }

    /// Encodes two numbers in an unkeyed container, like `CGVector`.
    public func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        try numbers.encode(dx)
        try numbers.encode(dy)
    }
}
