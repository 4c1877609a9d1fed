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
        let rowSize = width * target.bytesPerPixel
        var bytes = Data(count: rowSize * height)
        try forEachRow { (y, row) throws(TransformerError) in
            var span = bytes.mutableSpan
            if format.hasAlpha, !target.hasAlpha {
                target.write(row.map { $0.flattened(on: back) }, to: &span, at: y * rowSize)
            } else {
                target.write(row, to: &span, at: y * rowSize)
            }
            return true
        }
        var result = metadata
        if target.hasColor != format.hasColor || format == .cmyk8 { result.colorProfile.icc = nil }
        return try Self(width: width, height: height, format: target, pixels: bytes, metadata: result)
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

extension PixelFormat {
    /// Writes wide pixels in this format, which is any but CMYK.
    ///
    /// - Parameters:
    ///   - row: The pixels, side by side.
    ///   - target: Has room for them.
    ///   - start: Where the first byte goes.
    func write(_ row: [WidePixel], to target: inout MutableSpan<UInt8>, at start: Int) {
        var at = start
        func put(_ sample: UInt16) {
            if bitsPerSample == 8 {
                target[at] = sample.toEightBits
                at += 1
            } else {
                target[at] = UInt8(truncatingIfNeeded: sample)
                target[at + 1] = UInt8(truncatingIfNeeded: sample >> 8)
                at += 2
            }
        }
        for pixel in row {
            if hasColor {
                put(pixel.red)
                put(pixel.green)
                put(pixel.blue)
            } else {
                put(pixel.luma)
            }
            if hasAlpha { put(pixel.alpha) }
        }
    }
}
