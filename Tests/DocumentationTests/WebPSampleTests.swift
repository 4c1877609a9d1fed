import Foundation
import ImagePlugin
import Testing
import Transformable
import WebPPlugin

@Suite struct WebPSampleTests {
    @Test func landingPage() throws {
        let registry = try TransformerRegistry {
            WebPPlugin(otherFiles: .image)
            ImagePlugin()
        }
        let webp = try registry.transformer("webp(lossless: true)", for: RasterImage.self)
        let image = try RasterImage(width: 2, height: 1, format: .rgb8, pixels: Data([255, 0, 0, 0, 0, 255]))
        let file = try webp.encode(image)
        let same = try webp.decode(file)
        #expect(same == image)
        #expect(file.starts(with: Data("RIFF".utf8)))
    }
}
