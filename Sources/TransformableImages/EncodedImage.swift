public import Foundation
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
    /// Whether a file of a format that cannot be read is an image without readable pixels, instead of being an error.
    public var keepsUnknownFormats: Bool

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
