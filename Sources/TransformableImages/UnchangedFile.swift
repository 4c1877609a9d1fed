public import Transformable

/// What an encoder does with an image that came from a file of its format and has not changed.
public enum UnchangedFile: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The bytes of the file are kept, so that nothing is lost, whatever the other arguments are.
    case keep
    /// The image is encoded again, and the smaller one of both files is kept.
    case smaller
    /// The image is always encoded again.
    case never
}
