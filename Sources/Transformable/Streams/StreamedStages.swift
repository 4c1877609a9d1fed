/// The stages of an expression, divided into those that need large values as a whole and those that process them piece
/// by piece.
public struct StreamedStages: Sendable {
    /// The stages before ``tail`` combined, which produce bytes, or nil if there are none.
    public let head: (any OneWayTransformer)?
    /// The last stages combined, all of which can process values piece by piece.
    public let tail: any StreamTransformer
}
