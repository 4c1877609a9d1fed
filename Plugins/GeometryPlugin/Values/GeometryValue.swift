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
