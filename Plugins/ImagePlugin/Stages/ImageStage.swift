public import Transformable
public import TransformableImages

/// A transformer that changes an image before another stage encodes it, for use in `fit(width: 1024) | jpeg`.
///
/// Decoding returns the image as it was stored. Changing an image twice is the same as changing it once, so that an
/// image that was read from a store is stored again as the same bytes.
public struct ImageStage: Transformer {
    /// A change of an image.
    ///
    /// Widths and heights refer to the image as it is viewed.
    public enum Operation: Sendable, Hashable {
        /// Rotates and mirrors the pixels according to the orientation, which is then `ImageOrientation.up`.
        case oriented
        /// Reduces the image until it is no larger than a box, and keeps its shape.
        ///
        /// An image that already fits is not changed. A side that is nil is not limited.
        case fit(width: Int?, height: Int?)
        /// Scales the image until it covers a box, and removes what is outside.
        ///
        /// The result always has the size of the box.
        case cover(width: Int, height: Int)
        /// Removes what is outside a box.
        ///
        /// A side that is already smaller than the box is not changed.
        case crop(width: Int, height: Int, at: ImageAnchor = .center)
        /// Converts the image to sRGB and to a pixel format.
        case convert(to: PixelFormat)
        /// Puts the image in front of an opaque color, so that it has no alpha.
        case flatten(background: JPEGOptions.Background = .white)
        /// Takes the first frame of an animation, and leaves a still image unchanged.
        case firstFrame
        /// Removes everything but the picture: location, time, device, thumbnail, and text.
        case strip
    }

    /// The change that the stage makes.
    public let operation: Operation

    /// Creates a stage.
    public init(_ operation: Operation) {
        self.operation = operation
    }

    /// The traits of the stage.
    ///
    /// It is lossy.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Returns the changed image.
    ///
    /// - Throws: `TransformerError` with the code `unsupported` if only one frame of an animation would be left, and
    ///   the stage is not ``Operation/firstFrame``.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> RasterImage {
        switch operation {
        case .oriented: try image.oriented()
        case .fit(let width, let height): try image.fitted(width: width, height: height)
        case .cover(let width, let height): try image.covering(width: width, height: height)
        case .crop(let width, let height, let anchor): try image.cropped(width: width, height: height, at: anchor)
        case .convert(let format): try image.convertedToSRGB().converted(to: format)
        case .flatten(let background): try image.flattened(background: background)
        case .firstFrame: try image.firstFrame()
        case .strip: image.stripped()
        }
    }

    /// Returns the image itself.
    ///
    /// - Throws: `TransformerError` with the code `invalid-data` if the stage is ``Operation/strip`` and the structure of
    ///   the image's file is damaged.
    public func decode(_ encoded: RasterImage, in context: TransformContext) throws(TransformerError) -> RasterImage {
        // An image that was decoded must be encodable again, and removing metadata depends on the structure of the
        // file.
        if operation == .strip { try encoded.encoded?.checkStructure() }
        return encoded
    }
}

/// The part of an image that is kept when the rest is removed.
public enum ImageAnchor: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The middle.
    case center
    /// The middle of the upper edge.
    case top
    /// The middle of the lower edge.
    case bottom
    /// The middle of the left edge.
    case left
    /// The middle of the right edge.
    case right
    /// The upper left corner.
    case topLeft = "top-left"
    /// The upper right corner.
    case topRight = "top-right"
    /// The lower left corner.
    case bottomLeft = "bottom-left"
    /// The lower right corner.
    case bottomRight = "bottom-right"

    /// The position of the kept part, from 0 for left to 2 for right.
    var horizontal: Int {
        switch self {
        case .left, .topLeft, .bottomLeft: 0
        case .center, .top, .bottom: 1
        case .right, .topRight, .bottomRight: 2
        }
    }

    /// The position of the kept part, from 0 for top to 2 for bottom.
    var vertical: Int {
        switch self {
        case .top, .topLeft, .topRight: 0
        case .center, .left, .right: 1
        case .bottom, .bottomLeft, .bottomRight: 2
        }
    }
}

extension ImageStage.Operation {
    /// The stage as a part of an expression.
    var expression: String {
        switch self {
        case .oriented: "oriented"
        case .fit(let width, let height):
            "fit("
                + [width.map { "width: \($0)" }, height.map { "height: \($0)" }].compactMap(\.self)
                .joined(separator: ", ") + ")"
        case .cover(let width, let height): "cover(width: \(width), height: \(height))"
        case .crop(let width, let height, let anchor):
            "crop(width: \(width), height: \(height), at: \(anchor.rawValue))"
        case .convert(let format): "convert(to: \(format.rawValue))"
        case .flatten(let background): "flatten(background: \"\(background)\")"
        case .firstFrame: "first-frame"
        case .strip: "strip"
        }
    }
}
