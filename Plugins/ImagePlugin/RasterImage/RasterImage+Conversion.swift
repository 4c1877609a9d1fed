internal import Foundation
public import Transformable

extension RasterImage {
    /// The same picture in another pixel format.
    ///
    /// Widening is exact: grey to colour, no alpha to opaque alpha, 8 to 16 bits. Narrowing rounds
    /// samples and weighs colours as ITU-R BT.601 does; CMYK is taken for ideal inks, and what is
    /// said of colours then no longer holds: an ICC profile is dropped if grey, RGB and CMYK change places.
    ///
    /// - Parameters:
    ///   - target: The wanted format.
    ///   - background: What shows through where alpha is dropped.
    /// - Returns: The image; itself if it has the format already.
    /// - Throws: `TransformerError` if the file cannot be decoded; with `alpha-not-supported` if alpha
    ///   would be lost; with `unsupported` for a conversion to CMYK, which needs a profile.
    public func converted(
        to target: PixelFormat,
        background: JPEGOptions.Background? = nil
    ) throws(TransformerError) -> Self {
        guard target != format else { return self }
        guard target != .cmyk8 else {
            throw TransformerError(.unsupported, "a conversion to CMYK depends on the inks and is not done here")
        }
        guard !format.hasAlpha || target.hasAlpha || background != nil else {
            throw .alphaNotSupported(by: "the pixel format \(target.rawValue)", wayOut: "give a background")
        }
        let back = WidePixel(background ?? JPEGOptions.Background(red: 0, green: 0, blue: 0))
        var writer = PixelWriter(format: target, capacity: width * height)
        try forEachRow { (_, row) throws(TransformerError) in
            for pixel in row {
                writer.append(target.hasAlpha ? pixel : pixel.flattened(on: back))
            }
            return true
        }
        var result = metadata
        if target.hasColor != format.hasColor || format == .cmyk8 { result.colorProfile.icc = nil }
        return try Self(width: width, height: height, format: target, pixels: writer.bytes, metadata: result)
    }
}

extension WidePixel {
    init(_ color: JPEGOptions.Background) {
        self.init(
            red: color.red.toSixteenBits,
            green: color.green.toSixteenBits,
            blue: color.blue.toSixteenBits
        )
    }
}

/// Writes wide pixels in a narrower format, without gaps between rows.
struct PixelWriter {
    private let format: PixelFormat
    private(set) var bytes: Data

    /// Starts with no pixels, in any format but CMYK.
    init(format: PixelFormat, capacity: Int) {
        self.format = format
        bytes = Data(capacity: capacity * format.bytesPerPixel)
    }

    mutating func append(_ pixel: WidePixel) {
        if format.hasColor {
            append(pixel.red)
            append(pixel.green)
            append(pixel.blue)
        } else {
            append(pixel.luma)
        }
        if format.hasAlpha { append(pixel.alpha) }
    }

    private mutating func append(_ sample: UInt16) {
        if format.bitsPerSample == 8 {
            bytes.append(sample.toEightBits)
        } else {
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
    }
}
