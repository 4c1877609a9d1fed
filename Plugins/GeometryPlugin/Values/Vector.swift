/// A direction and a length in a plane: what `CGVector` is where Core Graphics exists.
public struct Vector: Hashable, Sendable {
    /// The part along the x axis.
    public var dx: Double
    /// The part along the y axis.
    public var dy: Double

    /// Makes a vector of its parts.
    public init(dx: Double, dy: Double) {
        self.dx = dx
        self.dy = dy
    }

    /// The vector without length.
    public static let zero = Self(dx: 0, dy: 0)
}

extension Vector: Codable {
    /// Reads two numbers in a row, as `CGVector` writes them.
    public init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        dx = try numbers.decode(Double.self)
        dy = try numbers.decode(Double.self)
    }

    /// Writes two numbers in a row, as `CGVector` does.
    public func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        try numbers.encode(dx)
        try numbers.encode(dy)
    }
}
