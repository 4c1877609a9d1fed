import Foundation
import ImagePlugin
import Testing
import Transformable

/// Large PNG files that are scaled without being decoded as a whole.
@Suite struct RowStreamingTests {
    @Test(arguments: [PixelFormat.rgba8, .gray16])
    func rowsAreScaledLikeWholePictures(format: PixelFormat) throws {
        let side = format == .rgba8 ? 2100 : 2950
        let row = try RasterImage.noise(side, 1, format).pixels
        let pixels = (0..<side).reduce(into: Data()) { all, y in all += row.dropFirst(y) + row.prefix(y) }
        let image = try RasterImage(width: side, height: side, format: format, pixels: pixels)
        let file = try PNGTransformer(options: PNGOptions(compression: 1, palette: .never)).encode(image)
        let streamed = try RasterImage(encoded: file).resized(width: 9, height: 7)
        #expect(try streamed.pixels == image.resized(width: 9, height: 7).pixels)
        let damaged = try RasterImage(encoded: file.prefix(file.count / 2) + file.suffix(file.count / 2 - 1))
        #expect(throws: TransformerError.invalidData("")) { try damaged.resized(width: 9, height: 7) }
    }
}
