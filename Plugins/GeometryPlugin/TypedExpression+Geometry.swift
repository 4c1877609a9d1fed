public import Foundation
public import Transformable

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

extension TypedExpression where Value == Range<Int> {
    /// A range as text that contains its location and length.
    public static var range: Self { Self("range") }
}
