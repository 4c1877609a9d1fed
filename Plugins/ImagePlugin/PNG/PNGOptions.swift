public import Transformable

/// How a PNG is written; every choice gives the same pixels.
public struct PNGOptions: Sendable, Hashable {
    /// The filter that prepares a row for compression (PNG, section 9).
    public enum Filter: String, CaseIterable, Sendable, ArgumentConvertible {
        /// Chosen row by row, except where samples have fewer than 8 bits.
        case automatic = "auto"
        /// None.
        case none
        /// The difference from the pixel to the left.
        case sub
        /// The difference from the pixel above.
        case up
        /// The difference from the average of both.
        case average
        /// The difference from the nearest of both and the pixel above to the left.
        case paeth
    }

    /// Whether pixels are stored in a smaller type than the image's own.
    public enum Palette: String, CaseIterable, Sendable, ArgumentConvertible {
        /// In the smallest that holds them exactly: a palette, grey, fewer bits, no alpha.
        case automatic = "auto"
        /// In the image's own.
        case never
    }

    /// zlib's level: 0 none, 1 fastest, 9 smallest.
    public var compression: Int
    /// The filter.
    public var filter: Filter
    /// Whether rows come in seven passes, so that a picture appears while it loads.
    public var isInterlaced: Bool
    /// Whether a smaller type is looked for.
    public var palette: Palette

    /// Level 6, filters chosen row by row, the image's own type.
    public static let standard = Self()

    /// Makes options; what is left out has the standard value.
    public init(
        compression: Int = 6,
        filter: Filter = .automatic,
        isInterlaced: Bool = false,
        palette: Palette = .never
    ) {
        self.compression = compression
        self.filter = filter
        self.isInterlaced = isInterlaced
        self.palette = palette
    }
}
