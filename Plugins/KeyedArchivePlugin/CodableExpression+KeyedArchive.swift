public import Transformable

extension CodableExpression {
    /// The value as a keyed archive in Apple's format.
    public static var keyedArchive: Self { Self("keyed-archive") }
}
