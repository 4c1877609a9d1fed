internal import Foundation
internal import Transformable
internal import TransformableImages

/// A transformer that converts image files to the format of another transformer.
///
/// Decoding returns the converted file.
struct ImageFileConverter<Base: Transformer<RasterImage, Data>>: Transformer {
    private let base: Base
    private let options: ImageReadingOptions

    init(_ base: Base, limits: ImageLimits, isTolerant: Bool) {
        self.base = base
        options = ImageReadingOptions(limits: limits, isTolerant: isTolerant)
    }

    var traits: TransformerTraits { base.traits.union(.lossy) }

    func encode(_ file: Data, in context: TransformContext) throws -> Data {
        try base.encode(RasterImage(encoded: file, options: options), in: context)
    }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
        _ = try base.decode(encoded, in: context)
        return encoded
    }

    func isUnchanged(_ file: Data, since encoded: Data, in context: TransformContext) throws -> Bool {
        try file == encoded || encode(file, in: context) == encoded
    }
}
