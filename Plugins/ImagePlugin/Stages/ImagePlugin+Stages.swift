internal import Transformable
internal import TransformableImages

extension ImagePlugin {
    /// The stages that change an image before another stage encodes it.
    @RegistrationBuilder var stages: [Registration] {
        Registration(
            "oriented",
            summary: "an image with its pixels rotated for viewing",
            form: .image,
            ImageStage(.oriented)
        )
        fit
        Registration(
            "cover",
            summary: "an image scaled and cropped to exactly a size",
            form: .image,
            Self.side("width", "the width in pixels"),
            Self.side("height", "the height in pixels")
        ) { width, height in
            ImageStage(.cover(width: width, height: height))
        }
        Registration(
            "crop",
            summary: "a part of an image, no larger than a size",
            form: .image,
            Self.side("width", "the maximum width in pixels"),
            Self.side("height", "the maximum height in pixels"),
            .writing("at", "the part that is kept", default: ImageAnchor.center)
        ) { width, height, anchor in
            ImageStage(.crop(width: width, height: height, at: anchor))
        }
        Registration(
            "convert",
            summary: "an image in sRGB and in a pixel format",
            form: .image,
            .writing("to", "the pixel format")
        ) { (format: PixelFormat) in
            ImageStage(.convert(to: format))
        }
        Registration(
            "flatten",
            summary: "an image in front of a color, without alpha",
            form: .image,
            .writing("background", "the color behind transparent pixels", default: JPEGOptions.Background.white)
        ) { background in
            ImageStage(.flatten(background: background))
        }
        Registration(
            "first-frame",
            summary: "the first frame of an animation, as a still image",
            form: .image,
            ImageStage(.firstFrame)
        )
        Registration(
            "strip",
            summary: "an image without location, time, device, and text",
            form: .image,
            ImageStage(.strip)
        )
    }

    private var fit: Registration {
        Registration(
            "fit",
            summary: "an image reduced to at most a size",
            form: .image,
            .writing("width", "the maximum width in pixels", default: Int?.none),
            .writing("height", "the maximum height in pixels", default: Int?.none)
        ) { (width: Int?, height: Int?) in
            let sides = [width, height].compactMap(\.self)
            guard !sides.isEmpty, sides.allSatisfy({ $0 >= 1 }) else {
                throw TransformerError(.invalidArgument, "specify a width, a height, or both, of at least 1 pixel")
            }
            return ImageStage(.fit(width: width, height: height))
        }
    }

    private static func side(_ label: String, _ summary: String) -> Parameter<Int> {
        .writing(label, summary, in: 1...65_500)
    }
}
