public import Transformable

/// The options for writing a WebP file.
public struct WebPOptions: Sendable, Hashable {
    /// The quality of a lossy file, from 0 (smallest) to 100 (best).
    public var quality: Int
    /// Whether all pixels are kept exactly, including the colors of transparent ones.
    public var isLossless: Bool
    /// How much time is spent on a small file, from 0 (least) to 6 (most).
    public var effort: Int

    /// The standard options: lossy, with quality 80 and effort 4.
    public static let standard = Self()

    /// Creates options.
    ///
    /// The default values are the standard ones.
    public init(quality: Int = 80, isLossless: Bool = false, effort: Int = 4) {
        self.quality = quality
        self.isLossless = isLossless
        self.effort = effort
    }
}

/// What to do with a WebP file that is an animation.
public enum WebPAnimationReading: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The file is an error.
    case refuse
    /// The image is the first frame.
    ///
    /// As long as the image has not changed, the whole file is kept.
    case first
}
