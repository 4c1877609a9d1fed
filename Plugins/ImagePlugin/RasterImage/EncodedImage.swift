public import Foundation
internal import Transformable

/// The file that an image came from, byte for byte.
public struct EncodedImage: Sendable {
    /// The whole file.
    public let bytes: Data
    /// The file's format.
    public var format: ImageFileFormat { header.format }
    /// How the file was read.
    public let options: ImageReadingOptions

    let header: ImageFileHeader

    /// Reads the header of a PNG or JPEG file.
    init(_ bytes: Data, options: ImageReadingOptions) throws(TransformerError) {
        self.bytes = bytes
        self.options = options
        header = try ImageFileHeader(bytes, options: options)
    }
}

/// How a file is read.
public struct ImageReadingOptions: Sendable, Hashable {
    /// What reading may cost.
    public var limits: ImageLimits
    /// Whether a damaged or truncated JPEG gives what can be read instead of an error.
    public var isTolerant: Bool
    /// Whether an encoder with other than its standard options writes an unchanged image anew.
    ///
    /// Otherwise the file's bytes are kept, whatever the options. Files that a person gives on the command
    /// line are read with it: who asks for another quality means it.
    public var yieldsToArguments: Bool

    /// Makes options; by default strict, with the standard limits.
    public init(limits: ImageLimits = .standard, isTolerant: Bool = false, yieldsToArguments: Bool = false) {
        self.limits = limits
        self.isTolerant = isTolerant
        self.yieldsToArguments = yieldsToArguments
    }
}

/// What the first bytes of a file say, without the pixels.
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
