import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct ImageSampleTests {
    @Test func landingPage() throws {
        let registry = try TransformerRegistry {
            ImagePlugin()
        }
        let png = try registry.transformer("png(compression: 9)", for: RasterImage.self)
        let image = try RasterImage(width: 2, height: 1, format: .gray8, pixels: Data([0, 255]))
        let file = try png.encode(image)
        let same = try png.decode(file)
        let size = (same.width, same.height)  // the header is read
        let pixels = try same.pixels  // now the pixels are decoded
        #expect(size == (2, 1))
        #expect(pixels == Data([0, 255]))
    }

    @Test func typedStages() throws {
        let expression: TypedExpression<RasterImage> = .stages(
            .fit(width: 2048, height: 2048),
            .strip,
            then: .jpeg(quality: 80)
        )
        let registry = try TransformerRegistry { ImagePlugin() }
        let resolved = try registry.resolve(expression.text, for: RasterImage.self)
        #expect(resolved.expression.description == "fit(width: 2048, height: 2048) | strip | jpeg(quality: 80)")
    }
}
