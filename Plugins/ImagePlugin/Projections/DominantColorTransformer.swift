internal import Foundation
public import Transformable
public import TransformableImages

/// A projection to the color that is most common in an image, as `#rrggbb` in sRGB.
///
/// Similar colors count as one. Transparent pixels are ignored; if there are no others, the result is `none`.
public struct DominantColorTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the most common color of an image.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> String {
        let small = try image.thumbnail(fit: 64).converted(to: .rgba8)
        let samples = Array(try small.pixels)
        var groups = Array(repeating: ColorGroup(), count: ColorGroup.count)
        for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 0 {
            let color = samples[pixel..<pixel + 3].map { Int($0) }
            groups[ColorGroup.index(color)].add(color, alpha: Int(samples[pixel + 3]))
        }
        let best = groups.indices.max { ColorGroup.weight($0, groups) < ColorGroup.weight($1, groups) } ?? 0
        return groups[best].average ?? "none"
    }
}

/// Pixels whose colors agree in the upper three bits of each sample.
private struct ColorGroup {
    /// The number of groups.
    static let count = 512

    private var weight = 0
    private var sums = [0, 0, 0]

    static func index(_ color: [Int]) -> Int {
        (color[0] >> 5) << 6 | (color[1] >> 5) << 3 | color[2] >> 5
    }

    /// Returns the weight of a group and, at a quarter, that of its neighbors, so that a color at the edge of its
    /// group is not split.
    static func weight(_ index: Int, _ groups: [Self]) -> Int {
        guard groups[index].weight > 0 else { return 0 }
        var result = groups[index].weight * 4
        for shift in [0, 3, 6] {
            let level = index >> shift & 7
            if level > 0 { result += groups[index - 1 << shift].weight }
            if level < 7 { result += groups[index + 1 << shift].weight }
        }
        return result
    }

    mutating func add(_ color: [Int], alpha: Int) {
        weight += alpha
        for channel in 0..<3 { sums[channel] += color[channel] * alpha }
    }

    /// The average color, or nil if the group is empty.
    var average: String? {
        guard weight > 0 else { return nil }
        return "#" + sums.map { String(format: "%02x", ($0 + weight / 2) / weight) }.joined()
    }
}
