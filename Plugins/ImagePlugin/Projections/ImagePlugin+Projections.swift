internal import Transformable
internal import TransformableImages

extension ImagePlugin {
    /// The projections of images.
    @RegistrationBuilder var projections: [Registration] {
        Registration("image-width", summary: "the width of an image in pixels", form: .image, ImageWidthTransformer())
        Registration(
            "image-height",
            summary: "the height of an image in pixels",
            form: .image,
            ImageHeightTransformer()
        )
        Registration(
            "image-format",
            summary: "the format of an image file, such as png, or none",
            form: .image,
            ImageFormatTransformer()
        )
        Registration(
            "image-orientation",
            summary: "the EXIF orientation of an image, from 1 to 8",
            form: .image,
            ImageOrientationTransformer()
        )
        Registration(
            "image-upright-width",
            summary: "the width of an image in pixels, as it is viewed",
            form: .image,
            ImageUprightWidthTransformer()
        )
        Registration(
            "image-upright-height",
            summary: "the height of an image in pixels, as it is viewed",
            form: .image,
            ImageUprightHeightTransformer()
        )
        Registration(
            "image-has-alpha",
            summary: "1 if an image can have transparent pixels, or 0",
            form: .image,
            ImageAlphaTransformer()
        )
        Registration(
            "image-frames",
            summary: "the number of frames of an image, 1 if it is still",
            form: .image,
            ImageFrameCountTransformer()
        )
        Registration(
            "image-taken",
            // Version 1 returned times that do not exist.
            version: 2,
            summary: "a picture's local time in ISO 8601, or none",
            form: .image,
            ImageTimeTransformer()
        )
        Registration(
            "image-has-location",
            summary: "1 if an image's metadata has a location, or 0",
            form: .image,
            ImageLocationTransformer()
        )
        Registration(
            "image-color",
            // Dark colors of version 1 were wrong in gray and in images with 16 bits per sample that were not in sRGB.
            version: 2,
            summary: "an image's most common color, as #rrggbb, or none",
            form: .image,
            DominantColorTransformer()
        )
        Registration(
            "thumbhash",
            version: 2,
            summary: "a ThumbHash, a blurred preview of about 25 bytes",
            form: .image,
            ThumbHashTransformer()
        )
        Registration(
            "image-hash",
            // Thumbnails of version 1 were not in sRGB, and JPEG was scaled further while it was decoded. Dark colors of
            // version 2 were wrong, as in image-color.
            version: 3,
            summary: "a 64-bit hash, similar for images that look alike",
            form: .image,
            ImageHashTransformer()
        )
        Registration(
            "thumbnail",
            version: 3,
            summary: "a small upright image, for another stage to encode",
            form: .image,
            .writing("fit", "the longest side in pixels", default: 256, in: 1...65_500)
        ) { fit in
            ThumbnailTransformer(fit: fit)
        }
    }
}
