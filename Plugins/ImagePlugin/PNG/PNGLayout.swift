internal import Foundation
internal import Transformable
internal import TransformableImages

/// Pixels in the layout of PNG rows: samples of up to 8 bits take one byte, and samples of 16 bits take two.
struct PNGLayout {
    var colorType: PNGHeader.ColorType
    var bitDepth: Int
    var pixels: Data
    var rowStride: Int
    /// The palette entries as red, green, and blue.
    var palette: [UInt8] = []
    /// The alpha values of the first palette entries.
    ///
    /// All others are opaque.
    var paletteAlpha: [UInt8] = []
    /// The color that is transparent, in the form of a tRNS chunk.
    var transparentColor: Data?

    /// Creates the layout for the image's own format.
    init(_ image: RasterImage) throws(TransformerError) {
        switch image.format {
        case .gray8, .gray16: colorType = .gray
        case .grayAlpha8, .grayAlpha16: colorType = .grayAlpha
        case .rgb8, .rgb16: colorType = .rgb
        case .rgba8, .rgba16: colorType = .rgba
        case .cmyk8:
            throw
                .invalidValue(
                    "a PNG cannot hold CMYK; convert the image first, with convert(to: rgb8), or write a JPEG"
                )
                .safeToShow()
        }
        bitDepth = image.format.bitsPerSample
        pixels = try image.pixels
        rowStride = image.rowStride
    }

    init(colorType: PNGHeader.ColorType, bitDepth: Int, pixels: Data, rowStride: Int) {
        self.colorType = colorType
        self.bitDepth = bitDepth
        self.pixels = pixels
        self.rowStride = rowStride
    }
}
