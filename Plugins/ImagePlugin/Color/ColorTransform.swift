internal import CLCMSShims
internal import Foundation
internal import Transformable
internal import TransformableImages

/// A conversion of pixels to sRGB by Little CMS.
@safe struct ColorTransform: ~Copyable {
    /// The memory that a profile can use, in bytes.
    ///
    /// The profile of a printing press is about 2 MB, and its table about as much.
    private static let maxMemory = 256 << 20

    private let transform: OpaquePointer

    /// Creates the conversion for the pixels of a format, or returns nil if the profile is not usable for it.
    ///
    /// - Parameters:
    ///   - profile: An ICC profile.
    ///   - format: The format of the pixels.
    init?(_ profile: Data, for format: PixelFormat) {
        var layout = tfc_layout(format)
        var result: OpaquePointer?
        let code = unsafe profile.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TFC_UNUSABLE }
            return unsafe tfc_open_profile(start, bytes.count, &layout, Self.maxMemory, &result)
        }
        guard code == TFC_OK, let transform = unsafe result else { return nil }
        unsafe self.transform = transform
    }

    /// Creates the conversion for the pixels of a format, which is not CMYK, or returns nil if the numbers are invalid.
    init?(_ numbers: ColorNumbers, for format: PixelFormat) {
        var layout = tfc_layout(format)
        var result: OpaquePointer?
        let curve = numbers.curve
        let code = unsafe curve.withUnsafeBufferPointer { curve in
            guard let start = curve.baseAddress else { return TFC_UNUSABLE }
            var colors = unsafe tfc_colors(
                white: numbers.white,
                red: numbers.red,
                green: numbers.green,
                blue: numbers.blue,
                curve: start,
                curve_count: curve.count
            )
            return unsafe tfc_open_colors(&colors, &layout, &result)
        }
        guard code == TFC_OK, let transform = unsafe result else { return nil }
        unsafe self.transform = transform
    }

    deinit {
        unsafe tfc_free(transform)
    }

    /// Returns the converted pixels without gaps between rows: RGB for CMYK, and otherwise in the same format.
    func converted(_ image: RasterImage) throws(TransformerError) -> Data {
        let pixels = try image.pixels
        let newRowSize = image.width * image.format.inSRGB.bytesPerPixel
        let memory = try PixelMemory(newRowSize * image.height)
        unsafe pixels.withUnsafeBytes { pixels in
            guard let start = pixels.baseAddress else { return }
            for y in 0..<image.height {
                let from = unsafe start + y * image.rowStride
                unsafe tfc_convert(transform, from, memory.start + y * newRowSize, UInt32(image.width))
            }
        }
        return memory.take()
    }
}

extension tfc_layout {
    init(_ format: PixelFormat) {
        let colors = format.channelCount - (format.hasAlpha ? 1 : 0)
        self.init(colors: UInt32(colors), has_alpha: format.hasAlpha ? 1 : 0, bits: UInt32(format.bitsPerSample))
    }
}

extension PixelFormat {
    /// The format of the same pixels in sRGB.
    var inSRGB: Self { self == .cmyk8 ? .rgb8 : self }
}
