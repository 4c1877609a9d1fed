public import Foundation
internal import Synchronization
package import Transformable

/// The original file of an image, byte for byte.
public struct EncodedImage: Sendable {
    /// The whole file.
    public let bytes: Data
    /// The format of the file.
    public var format: ImageFileFormat { header.format }
    /// The options that the file was read with.
    public let options: ImageReadingOptions

    /// The header of the file, which reads the rest when it is needed.
    public let header: any ImageFileHeader

    /// Creates a file whose header has been read.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - options: The options for reading the rest.
    ///   - header: The header, in the format of the file.
    public init(_ bytes: Data, options: ImageReadingOptions, header: any ImageFileHeader) {
        self.bytes = bytes
        self.options = options
        self.header = header
    }
}

extension EncodedImage {
    /// Follows the structure to the end of the file, without examining its contents.
    ///
    /// The end itself was found when the header was read. This method detects a wrong length before it.
    package func checkStructure() throws(TransformerError) {
        try header.checkStructure(self)
    }

    /// Returns the same file with different metadata.
    ///
    /// The compressed pixels stay the same.
    package func replacing(with metadata: ImageMetadata, isStripping: Bool) throws(TransformerError) -> Data {
        try header.replacing(self, with: metadata, isStripping: isStripping)
    }
}

/// The options for reading a file.
public struct ImageReadingOptions: Sendable, Hashable {
    /// The limits for reading.
    public var limits: ImageLimits
    /// Whether a damaged or truncated file is read as far as possible, instead of being an error.
    public var isTolerant: Bool
    /// Whether the file was given on the command line.
    ///
    /// The PNG encoder then writes an unchanged image again if its options are not the standard ones, and damage is
    /// detected when the image is encoded. Otherwise, it is detected when the pixels are decoded.
    public var yieldsToArguments: Bool
    /// Whether a file of an unreadable format counts as an image without readable pixels, instead of being an error.
    public var keepsUnknownFormats: Bool
    /// Whether the caller asked for the first frame of an animation, which can then be changed like a still image.
    package var takesFirstFrame = false

    /// Creates options.
    ///
    /// By default, reading is strict, with the standard limits.
    public init(
        limits: ImageLimits = .standard,
        isTolerant: Bool = false,
        yieldsToArguments: Bool = false,
        keepsUnknownFormats: Bool = false
    ) {
        self.limits = limits
        self.isTolerant = isTolerant
        self.yieldsToArguments = yieldsToArguments
        self.keepsUnknownFormats = keepsUnknownFormats
    }
}

/// The limits for reading an image.
///
/// They are checked before memory is allocated.
public struct ImageLimits: Sendable, Hashable {
    /// The maximum number of pixels.
    public var maxPixels: Int
    /// The maximum size of decompressed metadata in bytes: profiles, text, and EXIF.
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

    /// These limits, or the standard ones where those are higher.
    ///
    /// An image that is in memory is printed even if these limits are too low for the other format.
    package var forPrinting: Self {
        let standard = Self.standard
        return Self(
            maxPixels: max(maxPixels, standard.maxPixels),
            maxMetadataBytes: max(maxMetadataBytes, standard.maxMetadataBytes),
            maxScans: max(maxScans, standard.maxScans),
            maxSeconds: max(maxSeconds, standard.maxSeconds)
        )
    }
}

/// The pixels of an image, or the file to decode them from.
///
/// All copies of the image share it.
final class ImageStorage: Sendable {
    let file: EncodedImage?
    private let decoded: Mutex<Result<DecodedPixels, TransformerError>?>
    private let read: Mutex<ReadMetadata?>

    init(pixels: Data) {
        file = nil
        decoded = Mutex(.success(DecodedPixels(pixels: pixels)))
        read = Mutex(ReadMetadata())
    }

    init(file: EncodedImage) {
        self.file = file
        decoded = Mutex(nil)
        read = Mutex(nil)
    }

    /// Whether the pixels are in memory.
    var isDecoded: Bool { decoded.withLock { $0 != nil } }

    func pixels() throws(TransformerError) -> Data {
        try content().pixels
    }

    /// Returns the pixels, leaving no other reference to them, so that they can be changed in place.
    func takePixels() throws(TransformerError) -> Data {
        let pixels = try content().pixels
        decoded.withLock { $0 = nil }
        return pixels
    }

    func intactRows(of height: Int) throws(TransformerError) -> Int {
        try content().intactRows ?? height
    }

    var metadata: ImageMetadata { readMetadata().metadata }

    var warnings: [String] {
        let ofPixels: [String] = decoded.withLock { decoded in
            if case .success(let content)? = decoded { content.warnings } else { [] }
        }
        return readMetadata().warnings + ofPixels
    }

    /// Decodes the file while holding the lock, so that concurrent threads wait for the same result.
    private func content() throws(TransformerError) -> DecodedPixels {
        try decoded.withLock { (decoded) -> Result<DecodedPixels, TransformerError> in
            if let decoded { return decoded }
            let result = file.map { $0.decodedPixels() } ?? .success(DecodedPixels(pixels: Data()))
            decoded = result
            return result
        }
        .get()
    }

    private func readMetadata() -> ReadMetadata {
        read.withLock { read in
            if let read { return read }
            let result = file.map { $0.readMetadata() } ?? ReadMetadata()
            read = result
            return result
        }
    }
}

extension EncodedImage {
    fileprivate func decodedPixels() -> Result<DecodedPixels, TransformerError> {
        do throws(TransformerError) {
            return .success(try header.decodePixels(self))
        } catch {
            return .failure(error)
        }
    }

    fileprivate func readMetadata() -> ReadMetadata {
        var result = header.readMetadata(self)
        // Cameras store the density only in EXIF.
        result.metadata.density = result.metadata.knownDensity
        return result
    }
}
