public import Foundation
public import Transformable

extension TypedExpression where Value == CGPoint {
    /// A point as a string: `{1, 2}`.
    public static var point: Self { Self("point") }
}

extension TypedExpression where Value == CGSize {
    /// A size as a string: `{3, 4}`.
    public static var size: Self { Self("size") }
}

extension TypedExpression where Value == CGRect {
    /// A rect as a string: `{{1, 2}, {3, 4}}`.
    public static var rect: Self { Self("rect") }
}

extension TypedExpression where Value == Vector {
    /// A vector as a string.
    public static var vector: Self { Self("vector") }
}

extension TypedExpression where Value == NSEdgeInsets {
    /// Insets as a string.
    public static var insets: Self { Self("insets") }
}

extension TypedExpression where Value == AffineTransform {
    /// An affine transform as a string.
    public static var affineTransform: Self { Self("affine-transform") }
}

extension TypedExpression where Value == Range<Int> {
    /// A range as a string of its location and length.
    public static var range: Self { Self("range") }
}
