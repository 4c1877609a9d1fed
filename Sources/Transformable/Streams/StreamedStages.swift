/// An expression divided for large values: what takes them whole, and what takes them in pieces.
public struct StreamedStages: Sendable {
    /// The stages before ``tail`` as one, which give bytes; nil if there are none.
    public let head: (any OneWayTransformer)?
    /// The last stages as one, each of which takes pieces.
    public let tail: any StreamTransformer
}
