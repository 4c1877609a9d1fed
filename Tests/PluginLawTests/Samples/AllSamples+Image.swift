import Foundation
import ImagePlugin
import Transformable
import WebPPlugin

extension AllSamples {
    static var image: [any SampleSet] {
        let exact = PixelFormat.allCases.filter { $0 != .cmyk8 }.map { picture($0, width: 7, height: 5) }
        let opaque = [PixelFormat.gray8, .rgb8].map { picture($0, width: 17, height: 9) }
        let rejected = [Data(), Data("\u{89}PNG\r\n".utf8), Data([0xFF, 0xD8, 0xFF])]
        let png = ["png", "png(interlaced: true)", "png(palette: never)", "png(compression: 0, filter: paeth)"]
            .map { Samples($0, exact + [picture(.gray8, width: 1, height: 1)], rejected: rejected).touched(touch) }
        let jpeg = [
            "jpeg", "jpeg(progressive: true)", "jpeg(unchanged: smaller, strip: true)",
            "jpeg(lossless: oriented)",
            "jpeg(quality: 100, subsampling: \"4:4:4\")",
        ]
        .map { expression in
            Samples(expression, opaque, rejected: rejected) { areSimilar($0, $1) }.touched(touch)
        }
        let lossless = [PixelFormat.gray8, .grayAlpha8, .rgb8, .rgba8].map { picture($0, width: 7, height: 5) }
        let webP = [
            Samples("webp(lossless: true)", lossless, rejected: rejected).touched(touch),
            Samples("webp(strip: true)", opaque, rejected: rejected) { areSimilar($0, $1) }.touched(touch),
        ]
        let files = (try? AllSamples.registry().transformer("png", for: RasterImage.self).encode(opaque[1]))
            .flatMap { try? RasterImage(encoded: $0) }
        let stages = [
            "oriented", "fit(width: 99)", "cover(width: 17, height: 9)", "crop(width: 99, height: 99)",
            "convert(to: rgb8)", "flatten", "first-frame", "strip",
        ]
        .map { Samples("\($0) | png", opaque, rejected: rejected).touched(touch) }
        return png + jpeg + webP + stages
            + [
                Samples("image", [files].compactMap { $0 }, rejected: rejected).touched(touch),
                Samples("image-width", opaque).ordered { $0.width },
                Samples("image-height", opaque).ordered { $0.height },
                Samples("image-format", opaque),
                Samples("image-orientation", opaque),
                Samples("image-upright-width", opaque).ordered { $0.width },
                Samples("image-upright-height", opaque).ordered { $0.height },
                Samples("image-has-alpha", opaque),
                Samples("image-frames", opaque),
                Samples("image-taken", opaque),
                Samples("image-has-location", opaque),
                Samples("image-color", opaque),
                Samples("thumbhash", opaque),
                Samples("image-hash", opaque),
                Samples("thumbnail(fit: 8)", opaque),
            ]
    }

    /// A picture in which every row and every sample differs.
    private static func picture(_ format: PixelFormat, width: Int, height: Int) -> RasterImage {
        let count = width * height * format.bytesPerPixel
        let pixels = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 11) })
        guard let image = try? RasterImage(width: width, height: height, format: format, pixels: pixels) else {
            preconditionFailure("the sample is no image")
        }
        return image
    }

    /// A decoded image reads its pixels when they are first asked for.
    private static func touch(_ image: RasterImage) throws {
        _ = try image.pixels
        _ = image.metadata
    }

    private static func areSimilar(_ left: RasterImage, _ right: RasterImage) -> Bool {
        left.width == right.width && left.height == right.height
    }
}
