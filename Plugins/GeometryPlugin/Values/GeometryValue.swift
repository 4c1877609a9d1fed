/// A value that is a row of a fixed number of doubles.
///
/// A conformance gives a type both forms, text in braces and packed bytes: points, sizes, rects,
/// vectors, insets and affine transforms have one, and a program's own types may.
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
    /// How the numbers stand in braces.
    static var layout: GeometryLayout { get }

    /// The numbers, as many and in the order as ``layout`` says.
    var numbers: [Double] { get }

    /// Makes the value of its numbers, keeping the bits of each.
    ///
    /// - Parameter numbers: As many numbers as ``layout`` says, in its order.
    init(numbers: [Double])
}
