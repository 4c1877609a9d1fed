/// The limits for reading an image.
///
/// They are checked before memory is allocated.
public struct ImageLimits: Sendable, Hashable {
    /// The maximum number of pixels.
    public var maxPixels: Int
    /// The maximum size of decompressed metadata in bytes: profiles, texts, and EXIF.
    public var maxMetadataBytes: Int
    /// The maximum number of scans in a JPEG file.
    ///
    /// A progressive file usually has ten.
    public var maxScans: Int
    /// The maximum time for decoding the pixels, in seconds.
    public var maxSeconds: Int

    /// The limits for untrusted files: 200 megapixels, 16 MiB of metadata, 100 scans, and one minute.
    public static let standard = Self()

    /// Creates limits.
    ///
    /// The default values are the standard ones.
    public init(
        maxPixels: Int = 200_000_000,
        maxMetadataBytes: Int = 16 << 20,
        maxScans: Int = 100,
        maxSeconds: Int = 60
    ) {
        self.maxPixels = maxPixels
        self.maxMetadataBytes = maxMetadataBytes
        self.maxScans = maxScans
        self.maxSeconds = maxSeconds
    }
}
