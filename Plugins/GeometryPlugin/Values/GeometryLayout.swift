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
