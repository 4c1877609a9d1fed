public import Foundation
public import Transformable

/// A picture of pixels: a value, copied only when it is changed.
///
/// An image that comes from a PNG or JPEG file keeps that file's bytes. Its size and format are read
/// at once, its metadata and pixels when they are first asked for. As long as it is not changed,
/// encoding it in the file's own format gives the very bytes it came from: a JPEG loses no generation.
///
/// Rows lie from top to bottom, ``rowStride`` bytes apart, in the layout of ``format``. They lie as they
/// are stored; ``ImageMetadata/orientation`` says how to turn them for viewing.
///
/// ```swift
/// let image = try RasterImage(encoded: bytes)
/// print(image.width, image.height)
/// let red = try image.pixels[0]
/// ```
///
/// Two images are equal if their size, format, pixels and metadata are; the files they came from, and
/// bytes between rows, do not matter.
///
/// ## Topics
/// ### Making one
/// - ``init(width:height:format:rowStride:pixels:metadata:)``
/// - ``init(encoded:options:)``
/// ### Its picture
/// - ``width``
/// - ``height``
/// - ``format``
/// - ``rowStride``
/// - ``pixels``
/// - ``withMutablePixels(_:)``
/// ### What it means
/// - ``metadata``
/// - ``encoded``
/// - ``warnings``
/// - ``intactRows``
public struct RasterImage: Sendable {
    /// Pixels of a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// The layout of a pixel.
    public let format: PixelFormat
    /// Bytes from the start of a row to the start of the next.
    public let rowStride: Int

    private var storage: ImageStorage
    // What replaces the file's metadata once they are set.
    private var ownMetadata: ImageMetadata?

    /// Makes an image of pixels.
    ///
    /// - Parameters:
    ///   - width: Pixels of a row, at least 1.
    ///   - height: Rows, at least 1.
    ///   - format: The layout of a pixel.
    ///   - rowStride: Bytes from the start of a row to the start of the next; by default no more than
    ///     the pixels take.
    ///   - pixels: The rows, `rowStride` bytes each; the last may lack the bytes after its pixels.
    ///   - metadata: Profile, resolution, texts and EXIF.
    /// - Throws: `TransformerError` with `invalid-value` if the numbers do not fit each other.
    public init(
        width: Int,
        height: Int,
        format: PixelFormat,
        rowStride: Int? = nil,
        pixels: Data,
        metadata: ImageMetadata = ImageMetadata()
    ) throws(TransformerError) {
        let row = width.multipliedReportingOverflow(by: format.bytesPerPixel)
        guard width > 0, height > 0, !row.overflow else {
            throw .invalidValue("an image has at least one pixel, and not \(width) × \(height)")
        }
        let stride = rowStride ?? row.partialValue
        let body = stride.multipliedReportingOverflow(by: height - 1)
        let size = body.partialValue.addingReportingOverflow(row.partialValue)
        guard stride >= row.partialValue, !body.overflow, !size.overflow, pixels.count >= size.partialValue else {
            throw .invalidValue(
                "\(pixels.count.counted("byte")) do not hold \(width) × \(height) pixels of \(format.bytesPerPixel.counted("byte"))"
                    + " in rows of \(stride.counted("byte"))"
            )
        }
        self.init(
            width: width,
            height: height,
            format: format,
            rowStride: stride,
            storage: ImageStorage(pixels: pixels),
            metadata: metadata
        )
    }

    /// Makes an image of a PNG or JPEG file, whose header alone is read.
    ///
    /// - Parameters:
    ///   - encoded: The whole file.
    ///   - options: Limits and tolerance.
    /// - Throws: `TransformerError` with `invalid-data`, `truncated-data`, `unsupported` or
    ///   `limit-exceeded`. Damage further in is found when the pixels are asked for.
    public init(encoded: Data, options: ImageReadingOptions = ImageReadingOptions()) throws(TransformerError) {
        self.init(try EncodedImage(encoded, options: options))
    }

    init(_ file: EncodedImage) {
        self.init(
            width: file.header.width,
            height: file.header.height,
            format: file.header.pixelFormat,
            rowStride: file.header.width * file.header.pixelFormat.bytesPerPixel,
            storage: ImageStorage(file: file),
            metadata: nil
        )
    }

    private init(
        width: Int,
        height: Int,
        format: PixelFormat,
        rowStride: Int,
        storage: ImageStorage,
        metadata: ImageMetadata?
    ) {
        self.width = width
        self.height = height
        self.format = format
        self.rowStride = rowStride
        self.storage = storage
        ownMetadata = metadata
    }
}

extension RasterImage {
    /// The rows of pixels, ``rowStride`` bytes each.
    ///
    /// An image that comes from a file decodes it on first use, once, whichever copy is asked.
    public var pixels: Data {
        get throws(TransformerError) { try storage.pixels() }
    }

    /// Profile, resolution, texts and EXIF.
    ///
    /// Setting them leaves the pixels alone, and a file's pixels packed as they are.
    public var metadata: ImageMetadata {
        get { ownMetadata ?? storage.metadata }
        set { ownMetadata = newValue == storage.metadata && storage.file != nil ? nil : newValue }
    }

    /// The file that the pixels came from; nil once they are changed.
    public var encoded: EncodedImage? { storage.file }

    /// What the libraries and the readers found odd in the file so far: pixels and metadata are read on
    /// first use.
    public var warnings: [String] { storage.warnings }

    /// How many rows could be read of a damaged JPEG; all of them if nothing is missing.
    ///
    /// Only an image read with ``ImageReadingOptions/isTolerant`` can have fewer than ``height``.
    public var intactRows: Int {
        get throws(TransformerError) { try storage.intactRows(of: height) }
    }

    /// Whether the metadata are those of ``encoded``, byte for byte.
    var hasMetadataOfFile: Bool { ownMetadata == nil }

    /// Changes pixels in place; the image then no longer has the file it came from.
    ///
    /// - Parameter body: Gets the bytes of all rows, ``rowStride`` bytes each.
    /// - Returns: What `body` returns.
    /// - Throws: `TransformerError` if the file cannot be decoded, and what `body` throws.
    public mutating func withMutablePixels<Result>(
        _ body: (inout MutableSpan<UInt8>) throws -> Result
    ) throws -> Result {
        let metadata = metadata
        var pixels = try isKnownUniquelyReferenced(&storage) ? storage.takePixels() : storage.pixels()
        defer {
            storage = ImageStorage(pixels: pixels)
            ownMetadata = metadata
        }
        var span = pixels.mutableSpan
        return try body(&span)
    }

    /// The same picture without the file it came from, so that it is encoded anew.
    ///
    /// - Returns: An equal image whose ``encoded`` is nil.
    /// - Throws: `TransformerError` if the file cannot be decoded.
    public func detached() throws(TransformerError) -> Self {
        guard storage.file != nil else { return self }
        return Self(
            width: width,
            height: height,
            format: format,
            rowStride: rowStride,
            storage: ImageStorage(pixels: try storage.pixels()),
            metadata: metadata
        )
    }
}

extension RasterImage: CustomStringConvertible {
    /// Size, pixel format, and the kind and length of the file.
    public var description: String {
        let source = encoded.map { ", a \($0.format.title) of \($0.bytes.count) bytes" } ?? ""
        return "\(width) × \(height) pixels, \(format.rawValue)\(source)"
    }
}
