public import Transformable

/// What is improved in a JPEG file that is kept, without any loss of quality.
///
/// The coefficients of the image stay the same, as in the program jpegtran. A damaged file is kept as it is, and so is a
/// file with further bytes after the image, such as a second image, unless they are stripped.
public enum JPEGRewriting: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Nothing: the file is kept byte for byte.
    case never
    /// The codes are optimized for the image, which makes most files smaller by a few percent.
    ///
    /// The file is kept if that does not make it smaller.
    case optimize
    /// The image is also rotated and mirrored according to its orientation.
    ///
    /// This is possible if no incomplete blocks come to the left or the top, so that the width and the height are
    /// usually multiples of 16. The orientation of other images is kept in their metadata.
    case oriented
}
