public import Transformable

extension CodableExpression {
    /// A value as Apple's keyed archive.
    public static var keyedArchive: Self { Self("keyed-archive") }
}
