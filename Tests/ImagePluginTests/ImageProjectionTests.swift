import Foundation
import ImagePlugin
import Testing
import Transformable
import TransformableTesting

@Suite struct ImageProjectionTests {
    private let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry { ImagePlugin() }
    }

    private func value<Result>(_ name: String, _ image: RasterImage, as type: Result.Type) throws -> Result {
        try registry.projection(name, for: RasterImage.self, to: type).encode(image)
    }

    @Test func sidesAreThoseOfTheViewedImage() throws {
        var image = try RasterImage.gradient(5, 3)
        image.metadata.orientation = .left
        #expect(try value("image-upright-width", image, as: Int64.self) == 3)
        #expect(try value("image-upright-height", image, as: Int64.self) == 5)
        #expect(try value("image-width", image, as: Int64.self) == 5)
    }

    @Test(arguments: PixelFormat.allCases)
    func alphaIsAPropertyOfTheFormat(format: PixelFormat) throws {
        let image = try RasterImage.noise(2, 2, format)
        #expect(try value("image-has-alpha", image, as: Int64.self) == (format.hasAlpha ? 1 : 0))
    }

    @Test func framesOfAnAnimationAreCounted() throws {
        let control =
            PNGBuilder.chunk("acTL", bigEndian(UInt32(20)) + bigEndian(UInt32(0)))
            + PNGBuilder.chunk("fcTL", Data(count: 26))
        let animated = try RasterImage(encoded: PNGBuilder.onePixel(chunks: control))
        let still = try RasterImage(encoded: PNGBuilder.onePixel())
        #expect(try value("image-frames", animated, as: Int64.self) == 20)
        #expect(try value("image-frames", still, as: Int64.self) == 1)
        #expect(try value("image-frames", RasterImage.noise(1, 1, .gray8), as: Int64.self) == 1)
    }

    @Test(
        arguments: [
            ([.text(0x9003, "2024:05:01 12:34:56")], "2024-05-01T12:34:56"),
            (
                [.text(0x9003, "2024:05:01 12:34:56"), .text(0x9011, "+02:00"), .text(0x9004, "2025:01:01 00:00:00")],
                "2024-05-01T12:34:56+02:00"
            ),
            ([.text(0x9004, "1999:12:31 23:59:59")], "1999-12-31T23:59:59"),
            ([.text(0x9003, "0000:00:00 00:00:00")], "none"), ([.text(0x9003, "    :  :     :  :  ")], "none"),
            ([.text(0x9003, "2024-05-01 12:34:56")], "none"), ([.short(0x9003, 1)], "none"), ([], "none"),
            // A leap second, and leap days.
            ([.text(0x9003, "2016:12:31 23:59:60")], "2016-12-31T23:59:60"),
            ([.text(0x9003, "2000:02:29 00:00:00")], "2000-02-29T00:00:00"),
            ([.text(0x9003, "2023:02:29 12:00:00")], "none"), ([.text(0x9003, "1900:02:29 12:00:00")], "none"),
            ([.text(0x9003, "2024:02:30 25:61:61")], "none"), ([.text(0x9003, "2024:04:31 12:00:00")], "none"),
            ([.text(0x9003, "2024:13:01 12:00:00")], "none"), ([.text(0x9003, "2024:00:10 12:00:00")], "none"),
            ([.text(0x9003, "2024:05:00 12:00:00")], "none"), ([.text(0x9003, "2024:05:01 24:00:00")], "none"),
            ([.text(0x9003, "2024:05:01 12:60:00")], "none"), ([.text(0x9003, "2024:05:01 12:00:61")], "none"),
            // The time when the picture was scanned, because the other one does not exist.
            (
                [.text(0x9003, "2024:02:30 12:00:00"), .text(0x9004, "2024:03:01 12:00:00")],
                "2024-03-01T12:00:00"
            ),
            ([.text(0x9003, "2024:05:01 12:00:00"), .text(0x9011, "+25:00")], "2024-05-01T12:00:00"),
            ([.text(0x9003, "2024:05:01 12:00:00"), .text(0x9011, "-23:60")], "2024-05-01T12:00:00"),
            ([.text(0x9003, "2024:05:01 12:00:00"), .text(0x9011, "-03:30")], "2024-05-01T12:00:00-03:30"),
        ] as [([ExifBuilder.Entry], String)]
    )
    func theTimeIsThatOfTheCamera(photo: [ExifBuilder.Entry], expected: String) throws {
        var exif = ExifBuilder(isLittleEndian: false)
        exif.main = [.text(0x010F, "Maker")]
        exif.photo = photo
        var image = try RasterImage.noise(1, 1, .gray8)
        image.metadata.exif = exif.bytes
        #expect(try value("image-taken", image, as: String.self) == expected)
    }

    @Test func aLocationIsFoundInExifAndXMP() throws {
        var image = try RasterImage.noise(1, 1, .gray8)
        #expect(try value("image-has-location", image, as: Int64.self) == 0)
        var exif = ExifBuilder()
        // Only the version of the directory.
        exif.place = [.long(0, 2)]
        image.metadata.exif = exif.bytes
        #expect(try value("image-has-location", image, as: Int64.self) == 0)
        exif.place = [.long(0, 2), .bytes(2, Data(count: 24))]
        image.metadata.exif = exif.bytes
        #expect(try value("image-has-location", image, as: Int64.self) == 1)
        image.metadata = ImageMetadata(texts: [ImageText(ImageText.xmpKeyword, "<x exif:GPSLatitude='1,2N'/>")])
        #expect(try value("image-has-location", image, as: Int64.self) == 1)
    }

    @Test(
        arguments: [
            ([255, 0, 0, 255], 60, [0, 0, 255, 255], 40, "#ff0000"),
            ([255, 0, 0, 255], 40, [0, 16, 240, 255], 60, "#0010f0"),
            // Transparent pixels do not count.
            ([255, 255, 255, 0], 99, [18, 52, 86, 255], 1, "#123456"), ([9, 9, 9, 0], 50, [0, 0, 0, 0], 50, "none"),
        ] as [([UInt8], Int, [UInt8], Int, String)]
    )
    func theMostCommonColorDominates(
        first: [UInt8],
        firstCount: Int,
        second: [UInt8],
        secondCount: Int,
        expected: String
    ) throws {
        let pixels = Array(repeating: first, count: firstCount) + Array(repeating: second, count: secondCount)
        let image = try RasterImage(width: 10, height: 10, format: .rgba8, pixels: Data(pixels.flatMap { $0 }))
        #expect(try value("image-color", image, as: String.self) == expected)
    }

    /// Expected values come from the reference implementation, https://github.com/evanw/thumbhash, at commit a652ce6.
    @Test(arguments: [
        (40, 30, false, "HggKNZpwd3eAh4eHh2d3d4BxCPeH"),
        (30, 40, true, "HviFHAwHcBeIeHiHFwiXcI+XhkZmZmpACQ=="),
        (1, 1, false, "wwYKVwAI9wiIh4hwj3CI+AiIcH/4AAAA"),
        (100, 7, false, "HSgOMZpxd3dwd2iIgIML+Hc="),
    ])
    func thumbHashesAreThoseOfTheReference(width: Int, height: Int, hasAlpha: Bool, expected: String) throws {
        var pixels = Data()
        for y in 0..<height {
            for x in 0..<width {
                let alpha = hasAlpha ? (x * 37 + y * 11) % 256 : 255
                pixels += [x * 255 / width, y * 255 / height, (x * y * 7 + 40) % 256, alpha]
                    .map(UInt8.init)
            }
        }
        let image = try RasterImage(width: width, height: height, format: .rgba8, pixels: pixels)
        #expect(try value("thumbhash", image, as: Data.self).base64EncodedString() == expected)
    }

    /// The header of the format, by hand: 18, 39, and 39 for the brightness and the colors, 7 terms across, and no scales.
    @Test func aThumbHashOfOneColorHasNoTerms() throws {
        let pixels = Data((0..<64).flatMap { _ in [128, 64, 32] as [UInt8] })
        let image = try RasterImage(width: 8, height: 8, format: .rgb8, pixels: pixels)
        #expect(try value("thumbhash", image, as: Data.self) == Data([0xD2, 0x79, 0x02, 0x07, 0x00]) + Data(count: 19))
    }

    @Test func flatPicturesHaveTheSameHash() throws {
        let hashes = try [(UInt8(0), 4), (128, 50), (255, 300)]
            .map { color, side in
                let pixels = Data(repeating: color, count: side * side)
                let image = try RasterImage(width: side, height: side, format: .gray8, pixels: pixels)
                return try value("image-hash", image, as: Int64.self)
            }
        #expect(hashes == [0, 0, 0])
    }

    @Test func projectionsFollowTheLaws() throws {
        var options = LawOptions()
        options.damagesPerValue = 8
        let images = try [
            RasterImage.gradient(9, 7), RasterImage.noise(3, 2, .rgba16), RasterImage.noise(2, 2, .cmyk8),
            RasterImage(encoded: JPEGFixture.baseline.bytes), RasterImage(encoded: PNGBuilder.onePixel()),
        ]
        assertTransformerLaws(of: ImageUprightWidthTransformer(), values: images, options: options)
        assertTransformerLaws(of: ImageUprightHeightTransformer(), values: images, options: options)
        assertTransformerLaws(of: ImageAlphaTransformer(), values: images, options: options)
        assertTransformerLaws(of: ImageFrameCountTransformer(), values: images, options: options)
        assertTransformerLaws(of: ImageTimeTransformer(), values: images, options: options)
        assertTransformerLaws(of: ImageLocationTransformer(), values: images, options: options)
        assertTransformerLaws(of: DominantColorTransformer(), values: images, options: options)
        assertTransformerLaws(of: ThumbHashTransformer(), values: images, options: options)
    }
}
