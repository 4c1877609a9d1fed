internal import Foundation
public import Transformable

/// Points, sizes, rects, vectors, ranges, insets and affine transforms, as strings or packed.
///
/// Beside the seven transformers it has one-way projections of single measures, `rect-area` and its
/// kin, for conditions and indexes.
public struct GeometryPlugin: TransformerPlugin {
    /// The plugin's name.
    public let name = "geometry"

    /// Makes the plugin.
    public init() {}

    /// The transformers and projections.
    public var registrations: [Registration] {
        Registration.geometry("point", "a point", CGPoint.self)
        Registration.geometry("size", "a size", CGSize.self)
        Registration.geometry("rect", "a rect", CGRect.self)
        Registration.geometry("vector", "a vector", Vector.self)
        Registration.geometry("insets", "insets", NSEdgeInsets.self)
        Registration.geometry("affine-transform", "an affine transform", AffineTransform.self)
        Registration.range
        Registration.measures
    }
}
