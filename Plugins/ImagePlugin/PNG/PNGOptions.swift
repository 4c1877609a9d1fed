public import Transformable

/// The options for writing a PNG file.
///
/// They do not affect the pixels.
public struct PNGOptions: Sendable, Hashable {
    /// The filter that prepares a row for compression (PNG, section 9).
    public enum Filter: String, CaseIterable, Sendable, ArgumentConvertible {
        /// The filters and the compression with the smallest result on a sample of the rows.
        ///
        /// Screenshots are best without a filter, drawings with a filter for each row, and photographs with another filter
        /// for each row or a compression that looks only for runs, which takes half of the time.
        case automatic = "auto"
        /// No filter.
        case none
        /// The difference from the pixel on the left.
        case sub
        /// The difference from the pixel above.
        case up
        /// The difference from the average of both.
        case average
        /// The difference from the nearest of both and the pixel above on the left.
        case paeth
    }

    /// Whether pixels are stored in a smaller type than that of the image.
    public enum Palette: String, CaseIterable, Sendable, ArgumentConvertible {
        /// The type without loss that makes the smallest file: with a palette, in gray, with fewer bits, without alpha,
        /// or that of the image.
        ///
        /// Whether a palette makes the file of a large picture smaller is estimated from a sample of the rows.
        case automatic = "auto"
        /// The type of the image.
        case never
    }

    /// The compression level: 0 for none, 1 for fastest, and 9 for smallest.
    public var compression: Int
    /// The filter.
    public var filter: Filter
    /// Whether rows are stored in seven passes, so that the image appears while it loads.
    public var isInterlaced: Bool
    /// Whether a smaller type is used if possible.
    public var palette: Palette

    /// The standard options: level 6, automatic filters, and the type that makes the smallest file.
    public static let standard = Self()

    /// Creates options.
    ///
    /// The default values are the standard ones.
    public init(
        compression: Int = 6,
        filter: Filter = .automatic,
        isInterlaced: Bool = false,
        palette: Palette = .automatic
    ) {
        self.compression = compression
        self.filter = filter
        self.isInterlaced = isInterlaced
        self.palette = palette
    }
}
