internal import CJPEGShims
internal import Foundation
internal import Transformable
internal import TransformableImages

/// Writes an image as a JPEG file.
struct JPEGWriter {
    /// The maximum width and height that libjpeg writes.
    private static let longestSide = 65_500

    let options: JPEGOptions

    func write(_ image: RasterImage) throws(TransformerError) -> Data {
        guard image.width <= Self.longestSide, image.height <= Self.longestSide else {
            throw .invalidValue(
                "a JPEG can have at most \(Self.longestSide) pixels per side, not \(image.width) × \(image.height)"
            )
        }
        try image.checkIsStill(for: "a new JPEG file")
        var image = try writable(image.withColorsOfJPEG())
        // It may show what is no longer in the image.
        if let exif = image.metadata.exif { image.metadata.exif = ExifStructure.removingThumbnail(from: exif) }
        // libjpeg writes a JFIF segment for gray and for YCbCr.
        let segments = try JPEGMetadataWriter(image.metadata, hasJFIF: image.format != .cmyk8).segments
        return try write(image, segments: segments)
    }

    /// Returns the image in a format that JPEG supports.
    private func writable(_ image: RasterImage) throws(TransformerError) -> RasterImage {
        let opaque = try withoutAlpha(image)
        guard opaque.format.bitsPerSample > 8 else { return opaque }
        return try opaque.converted(to: opaque.format.hasColor ? .rgb8 : .gray8)
    }

    private func withoutAlpha(_ image: RasterImage) throws(TransformerError) -> RasterImage {
        guard image.format.hasAlpha else { return image }
        guard let background = options.background else {
            throw .alphaNotSupported(
                by: "a JPEG",
                remedy: "flatten it with background: \"#ffffff\", or store it as png"
            )
        }
        return try image.flattened(background: background)
    }

    private func write(_ image: RasterImage, segments: [JPEGNewSegment]) throws(TransformerError) -> Data {
        var picture = tfj_picture(
            width: UInt32(image.width),
            height: UInt32(image.height),
            channels: UInt32(image.format.channelCount),
            row_stride: image.rowStride
        )
        let pixels = try image.pixels
        // A single block of bytes for all segments, so that all pointers into it are valid for the whole call.
        let segmentBytes = segments.reduce(into: Data()) { $0 += $1.data }
        var buffer = unsafe tfj_buffer()
        var report = tfj_report()
        let code = unsafe pixels.withUnsafeBytes { pixels in
            unsafe segmentBytes.withUnsafeBytes { bytes in
                let list = unsafe Self.markerList(segments, in: bytes)
                return unsafe list.withUnsafeBufferPointer { list in
                    guard let start = pixels.baseAddress else { return TFJ_MISUSE }
                    var writing = unsafe self.writing(image.metadata.density)
                    unsafe writing.markers = list.baseAddress
                    unsafe writing.marker_count = list.count
                    return unsafe tfj_encode(start, &picture, &writing, &buffer, &report)
                }
            }
        }
        guard code == TFJ_OK else { throw .jpegWriting(code, report) }
        return unsafe Data(taking: &buffer)
    }

    private func writing(_ density: PixelDensity?) -> tfj_writing {
        var writing = unsafe tfj_writing(density: density)
        unsafe writing.quality = Int32(clamping: options.quality)
        unsafe writing.horizontal_subsampling = Int32(options.subsampling.factors.horizontal)
        unsafe writing.vertical_subsampling = Int32(options.subsampling.factors.vertical)
        unsafe writing.is_progressive = options.isProgressive ? 1 : 0
        unsafe writing.is_optimized = options.isOptimized ? 1 : 0
        return unsafe writing
    }

    /// Returns the segments as the shim requires them, with pointers to their data, which are at `bytes`.
    @unsafe static func markerList(_ segments: [JPEGNewSegment], in bytes: UnsafeRawBufferPointer) -> [tfj_marker] {
        var offset = 0
        return unsafe segments.map { segment in
            let start = unsafe bytes.baseAddress.map { unsafe $0 + offset }
            offset += segment.data.count
            return unsafe tfj_marker(code: UInt32(segment.marker), bytes: start, count: segment.data.count)
        }
    }
}

extension tfj_writing {
    /// Creates options with nothing but a density.
    init(density: PixelDensity?) {
        unsafe self.init()
        let numbers = density?.jfif ?? (unit: 0, horizontal: 1, vertical: 1)
        unsafe density_unit = numbers.unit
        unsafe density_x = numbers.horizontal
        unsafe density_y = numbers.vertical
    }
}

extension PixelDensity {
    /// The density as required by JFIF: integers up to 65,535 per inch or centimeter.
    ///
    /// Nil if they do not fit.
    var jfif: (unit: UInt32, horizontal: UInt32, vertical: UInt32)? {
        let candidates: [(UInt32, Int, Int)]
        switch unit {
        case .ratio: candidates = [(0, horizontal, vertical)]
        case .inch: candidates = [(1, horizontal, vertical)]
        case .centimeter: candidates = [(2, horizontal, vertical)]
        case .meter:
            // Inches are common, and 2,835 pixels per meter are 72 per inch.
            candidates = [
                (1, Int((Double(horizontal) * 0.0254).rounded()), Int((Double(vertical) * 0.0254).rounded())),
                (2, Int((Double(horizontal) / 100).rounded()), Int((Double(vertical) / 100).rounded())),
            ]
        }
        let fitting = candidates.filter { (1...65_535).contains($0.1) && (1...65_535).contains($0.2) }
        let units: [PixelDensity.Unit] = [.ratio, .inch, .centimeter]
        let exact = fitting.first { PixelDensity(horizontal: $0.1, vertical: $0.2, unit: units[Int($0.0)]) == self }
        return (exact ?? fitting.first).map { ($0.0, UInt32($0.1), UInt32($0.2)) }
    }
}

extension TransformerError {
    fileprivate static func jpegWriting(_ code: tfj_code, _ report: tfj_report) -> Self {
        code == TFJ_NO_MEMORY ? .outOfMemory : .invalidValue("the JPEG file cannot be written: \(report.messageText)")
    }
}
