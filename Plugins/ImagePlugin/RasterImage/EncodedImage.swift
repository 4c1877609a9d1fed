public import Foundation
internal import Transformable

/// The original file of an image, byte for byte.
public struct EncodedImage: Sendable {
    /// The whole file.
    public let bytes: Data
    /// The format of the file.
    public var format: ImageFileFormat { header.format }
    /// The options that the file was read with.
    public let options: ImageReadingOptions

    let header: ImageFileHeader

    /// Reads the header of a PNG or JPEG file.
    init(_ bytes: Data, options: ImageReadingOptions) throws(TransformerError) {
        self.bytes = bytes
        self.options = options
        header = try ImageFileHeader(bytes, options: options)
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

/// The contents of a file before its pixels.
struct ImageFileHeader: Sendable {
    enum Details: Sendable {
        case png(PNGHeader)
        case jpeg(JPEGHeader)
    }

    let details: Details

    init(_ bytes: Data, options: ImageReadingOptions) throws(TransformerError) {
        switch ImageFileFormat(detecting: bytes) {
        case .png: details = .png(try PNGHeader(bytes, limits: options.limits))
        case .jpeg: details = .jpeg(try JPEGHeader(bytes, options: options))
        case nil: throw .notAnImage(bytes)
        }
    }

    var format: ImageFileFormat {
        switch details {
        case .png: .png
        case .jpeg: .jpeg
        }
    }

    var width: Int {
        switch details {
        case .png(let header): header.width
        case .jpeg(let header): header.width
        }
    }

    var height: Int {
        switch details {
        case .png(let header): header.height
        case .jpeg(let header): header.height
        }
    }

    var pixelFormat: PixelFormat {
        switch details {
        case .png(let header): header.pixelFormat
        case .jpeg(let header): header.pixelFormat
        }
    }
}
