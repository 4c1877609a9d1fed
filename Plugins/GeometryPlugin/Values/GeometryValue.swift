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
