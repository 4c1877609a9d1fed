/// What reading an image may cost; every limit is checked before memory is taken.
public struct ImageLimits: Sendable, Hashable {
    /// Pixels of a picture.
    public var maxPixels: Int
    /// Bytes of metadata that are unpacked from a file: profiles, texts, EXIF.
    public var maxMetadataBytes: Int
    /// Scans of a JPEG file: a progressive one usually has ten.
    public var maxScans: Int
    /// Seconds that decoding the pixels may take.
    public var maxSeconds: Int

    /// The limits for files from anywhere: 200 megapixels, 16 MiB of metadata, 100 scans, a minute.
    public static let standard = Self()

    /// Makes limits; what is left out has the standard value.
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
