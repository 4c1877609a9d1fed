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
