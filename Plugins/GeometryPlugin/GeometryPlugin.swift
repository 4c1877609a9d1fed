internal import Foundation
public import Transformable

/// A plugin for points, sizes, rectangles, vectors, ranges, insets, and affine transforms, as text or packed bytes.
///
/// In addition to the seven transformers, it contains one-way projections of single measures, such as `rect-area`, for
/// use in conditions and indexes.
public struct GeometryPlugin: TransformerPlugin {
    /// The plugin's name, “geometry”.
    public let name = "geometry"

    /// Creates the plugin.
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
