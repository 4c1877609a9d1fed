/// How the numbers of a geometry value stand in braces: `{x, y}`, `{{x, y}, {width, height}}`.
public struct GeometryLayout: Sendable, Hashable {
    /// The names of the numbers, by inner pair of braces; a single group has no outer pair.
    public let groups: [[String]]
    /// Whether brackets are read as well as braces around a group.
    public let readsBrackets: Bool
    /// How many numbers there are.
    public let count: Int

    /// Makes a layout of the numbers' names.
    ///
    /// - Precondition: There is a group, and each has a name.
    ///
    /// - Parameters:
    ///   - groups: The names of the numbers, by inner pair of braces.
    ///   - readsBrackets: Whether `[a, b]` is read like `{a, b}`.
    public init(_ groups: [String]..., readsBrackets: Bool = false) {
        precondition(!groups.isEmpty && groups.allSatisfy { !$0.isEmpty }, "a layout has names in each group")
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
