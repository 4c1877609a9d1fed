public import Foundation
public import Transformable

/// An image that consists of pixels.
///
/// It is a value type with copy-on-write.
///
/// An image that comes from a file keeps the bytes of that file. Its size and format are read immediately;
/// its metadata and pixels are read on first use. As long as the image has not changed, encoding it in the format of the
/// file returns the original bytes, so that a JPEG does not lose quality.
///
/// Rows are stored from top to bottom, ``rowStride`` bytes apart, in the layout of ``format``. Use
/// ``ImageMetadata/orientation`` to rotate the stored pixels for viewing.
///
/// ```swift
/// let image = try RasterImage(encoded: bytes)
/// print(image.width, image.height)
/// let red = try image.pixels[0]
/// ```
///
/// Two images are equal if their size, pixels, and metadata are equal. The files they came from and the bytes between
/// rows do not matter.
///
/// ## Topics
/// ### Creating an Image
/// - ``init(width:height:format:rowStride:pixels:metadata:)``
/// - ``init(_:)-(EncodedImage)``
/// ### Accessing Pixels
/// - ``width``
/// - ``height``
/// - ``format``
/// - ``rowStride``
/// - ``pixels``
/// - ``withMutablePixels(_:)``
/// ### Accessing Metadata and the Original File
/// - ``metadata``
/// - ``encoded``
/// - ``warnings``
/// - ``intactRows``
public struct RasterImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The layout of a pixel.
    public let format: PixelFormat
    /// The number of bytes from the start of a row to the start of the next.
    public let rowStride: Int

    private var storage: ImageStorage
    // The metadata that replace those of the file after they are set.
    private var ownMetadata: ImageMetadata?
    // Whether everything but the picture is removed when the file is written again.
    private(set) package var isStripped = false

    /// Creates an image from pixels.
    ///
    /// - Parameters:
    ///   - width: The width in pixels, which is at least 1.
    ///   - height: The height in pixels, which is at least 1.
    ///   - format: The layout of a pixel.
    ///   - rowStride: The number of bytes from the start of a row to the start of the next. By default, there is no
    ///     space between rows.
    ///   - pixels: The rows of `rowStride` bytes each. In the last one, the bytes after its pixels can be omitted.
    ///   - metadata: The color profile, density, text, and EXIF data.
    /// - Throws: `TransformerError` with the code `invalid-value` if the arguments do not match.
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
            throw .invalidValue("an image must have at least one pixel, not \(width) × \(height)")
        }
        let stride = rowStride ?? row.partialValue
        let body = stride.multipliedReportingOverflow(by: height - 1)
        let size = body.partialValue.addingReportingOverflow(row.partialValue)
        guard stride >= row.partialValue, !body.overflow, !size.overflow, pixels.count >= size.partialValue else {
            throw .invalidValue(
                "\(pixels.count.counted("byte")) cannot contain \(width) × \(height) pixels of \(format.bytesPerPixel.counted("byte"))"
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

    /// Creates an image from a file whose header has been read.
    ///
    /// - Parameter file: The file. Its header is trusted to state the correct size.
    public init(_ file: EncodedImage) {
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
    /// The rows of pixels, with ``rowStride`` bytes each.
    ///
    /// If the image came from a file, the pixels are decoded once, on first use. All copies share them.
    public var pixels: Data {
        get throws(TransformerError) { try storage.pixels() }
    }

    /// The color profile, density, text, and EXIF data.
    ///
    /// Setting it changes neither the pixels nor their compressed form in a file.
    public var metadata: ImageMetadata {
        get { ownMetadata ?? storage.metadata }
        set { ownMetadata = newValue == storage.metadata && storage.file != nil ? nil : newValue }
    }

    /// The original file, or nil after the pixels have changed.
    public var encoded: EncodedImage? { storage.file }

    /// Warnings about the file.
    ///
    /// There may be more after the pixels and the metadata have been read, which happens on first use.
    public var warnings: [String] { storage.warnings }

    /// The number of rows that could be read from a damaged file, which is the height if nothing is missing.
    ///
    /// It can be less than ``height`` only if the image was read with ``ImageReadingOptions/isTolerant``.
    public var intactRows: Int {
        get throws(TransformerError) { try storage.intactRows(of: height) }
    }

    /// Whether the pixels are in memory, so that reading them takes no time.
    package var isDecoded: Bool { storage.isDecoded }

    /// Whether the metadata is the same as in ``encoded``, byte for byte.
    package var hasMetadataOfFile: Bool { ownMetadata == nil && !isStripped }

    /// Returns the image without its location, time, device, thumbnail, and text.
    ///
    /// Colors, density, and orientation are kept. The file loses everything that is not part of the picture when it is
    /// written again. Its compressed pixels stay the same. Metadata that you set afterward is written.
    ///
    /// - Returns: The image with ``ImageMetadata/stripped`` metadata.
    public func stripped() -> Self {
        var result = self
        result.metadata = metadata.stripped
        result.isStripped = true
        return result
    }

    /// Changes pixels in place.
    ///
    /// The image then no longer has an original file. The thumbnail and the previews in its EXIF data are removed, because
    /// they may show what is no longer in the image.
    ///
    /// - Parameter body: A closure that receives the bytes of all rows, with ``rowStride`` bytes each.
    /// - Returns: The result of `body`.
    /// - Throws: `TransformerError` with the code `unsupported` if the image is an animation, any error thrown while the
    ///   file is decoded, and any error thrown by `body`.
    public mutating func withMutablePixels<Result>(
        _ body: (inout MutableSpan<UInt8>) throws -> Result
    ) throws -> Result {
        try checkIsStill()
        var metadata = metadata
        metadata.exif = metadata.exif.map { ExifStructure.removingThumbnail(from: $0) }
        var pixels = try isKnownUniquelyReferenced(&storage) ? storage.takePixels() : storage.pixels()
        defer {
            storage = ImageStorage(pixels: pixels)
            ownMetadata = metadata
        }
        var span = pixels.mutableSpan
        return try body(&span)
    }

    /// Returns the same image without its original file, so that it is encoded again.
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

    /// Returns the first frame of an animation as a still image.
    ///
    /// The first frame of an animated PNG is the picture that programs without animations show, even if the animation
    /// does not include it.
    ///
    /// - Returns: An image without the original file, or the same image if it is not an animation.
    /// - Throws: `TransformerError` if the file cannot be decoded.
    public func firstFrame() throws(TransformerError) -> Self {
        guard let frames = encoded?.header.frameCount, frames > 1 else { return self }
        return try detached()
    }
}

extension RasterImage: CustomStringConvertible {
    /// The size, the pixel format, and the format and size of the file.
    public var description: String {
        let source = encoded.map { ", a \($0.format.title) of \($0.bytes.count) bytes" } ?? ""
        return "\(width) × \(height) pixels, \(format.rawValue)\(source)"
    }
}

extension RasterImage: Equatable {
    /// Returns whether two images have the same size, pixels, and metadata.
    ///
    /// The formats can differ if the pixels are the same: gray in gray and in RGB, opaque with and without alpha, or 8
    /// bits and their equivalent in 16 bits. Images of the same file are equal without being decoded. An image whose
    /// file cannot be decoded is equal only to images of the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.width == right.width, left.height == right.height else { return false }
        guard (left.format == .cmyk8) == (right.format == .cmyk8), left.metadata == right.metadata else { return false }
        if let leftFile = left.encoded, let rightFile = right.encoded, leftFile.bytes == rightFile.bytes,
            leftFile.options.isTolerant == rightFile.options.isTolerant
        {
            return true
        }
        guard let leftPixels = try? left.pixels, let rightPixels = try? right.pixels else { return false }
        if left.format == right.format {
            return left.hasSameBytes(leftPixels, as: rightPixels, stride: right.rowStride)
        }
        return left.showsTheSame(leftPixels, as: right, rightPixels)
    }

    private func hasSameBytes(_ pixels: Data, as others: Data, stride: Int) -> Bool {
        let rowSize = width * format.bytesPerPixel
        if rowStride == rowSize, stride == rowSize {
            return pixels.prefix(rowSize * height) == others.prefix(rowSize * height)
        }
        return (0..<height)
            .allSatisfy { row in
                pixels.dropFirst(row * rowStride).prefix(rowSize) == others.dropFirst(row * stride).prefix(rowSize)
            }
    }

    private func showsTheSame(_ pixels: Data, as other: Self, _ others: Data) -> Bool {
        var left = [WidePixel](repeating: WidePixel(bits: 0), count: width)
        var right = left
        return (0..<height)
            .allSatisfy { row in
                readRow(row, of: pixels, into: &left)
                other.readRow(row, of: others, into: &right)
                return left == right
            }
    }
}
