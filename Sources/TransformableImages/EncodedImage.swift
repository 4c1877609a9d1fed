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
    /// Whether a damaged or truncated JPEG is read as far as possible, instead of being an error.
    public var isTolerant: Bool
    /// Whether an encoder whose options are not the standard ones writes an unchanged image again.
    ///
    /// Otherwise, the bytes of the file are kept, regardless of the options. Files that are given on the command line
    /// are read with this option, because a user who specifies a quality expects it to be applied.
    public var yieldsToArguments: Bool

    /// Creates options.
    ///
    /// By default, reading is strict, with the standard limits.
    public init(limits: ImageLimits = .standard, isTolerant: Bool = false, yieldsToArguments: Bool = false) {
        self.limits = limits
        self.isTolerant = isTolerant
        self.yieldsToArguments = yieldsToArguments
    }
}
