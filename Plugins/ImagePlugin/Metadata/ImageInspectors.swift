internal import Foundation
internal import Transformable

extension Inspector {
    /// An inspector of PNG files.
    static let png = image(.png)

    /// An inspector of JPEG files.
    static let jpeg = image(.jpeg)

    private static func image(_ format: ImageFileFormat) -> Inspector {
        let kind = "\(format.title) image"
        return Inspector(kind) { bytes in
            guard ImageFileFormat(detecting: bytes) == format else { return nil }
            return Inspection(kind, facts: try facts(of: bytes))
        }
    }

    /// Returns facts about a file, even if it is damaged, as far as it can be read.
    private static func facts(of bytes: Data) throws(TransformerError) -> [Inspection.Fact] {
        do throws(TransformerError) {
            return ImageFacts(try RasterImage(encoded: bytes)).all
        } catch {
            guard let image = try? RasterImage(encoded: bytes, options: ImageReadingOptions(isTolerant: true)) else {
                throw error
            }
            return ImageFacts(image).all + [Inspection.Fact("warning", error.message)]
        }
    }
}

/// Facts about an image file, in order.
struct ImageFacts {
    private(set) var all: [Inspection.Fact] = []

    init(_ image: RasterImage) {
        let metadata = image.metadata
        add("width", "\(image.width)")
        add("height", "\(image.height)")
        if let file = image.encoded { addCoding(of: file) }
        add(metadata.colorProfile)
        if let exif = metadata.exif {
            add("orientation", "\(metadata.orientation.rawValue) (\(metadata.orientation))")
            add("EXIF", exif.count.counted("byte"))
        }
        if let density = metadata.density { add(density) }
        metadata.exif.flatMap(ExifStructure.init).map { all += ExifFacts($0).all }
        for text in metadata.texts {
            add(text.keyword, Self.shortened(text.text))
        }
        for warning in image.warnings { add("warning", warning) }
    }

    private mutating func add(_ label: String, _ value: String) {
        all.append(Inspection.Fact(label, value))
    }

    private mutating func addCoding(of file: EncodedImage) {
        switch file.header.details {
        case .png(let header):
            let colors = header.colorType == .palette ? " of \(header.paletteCount.counted("color"))" : ""
            add("type", "\(header.colorType.title)\(colors), \(header.bitDepth.counted("bit")) per sample")
            if header.hasTransparency { add("transparency", "yes") }
            add("interlaced", header.isInterlaced ? "yes" : "no")
        case .jpeg(let header):
            add("type", header.colorTitle)
            add("coding", header.coding.rawValue)
            add(
                "sampling",
                header.components.map { "\($0.horizontalSampling)×\($0.verticalSampling)" }.joined(separator: " ")
            )
        }
        add("pixel format", file.header.pixelFormat.rawValue)
    }

    private mutating func add(_ profile: ColorProfile) {
        if let points = profile.codePoints {
            add("code points", "\(points.primaries)/\(points.transfer)/\(points.matrix)")
        }
        if let icc = profile.icc {
            let name = profile.iccName.map { "“\($0)”, " } ?? ""
            add("ICC profile", "\(name)\(icc.count.counted("byte"))")
        }
        if let intent = profile.renderingIntent { add("colors", "sRGB, \(intent)") }
        if let gamma = profile.gamma { add("gamma", "\(Double(gamma) / 100_000)") }
        if profile.chromaticities != nil { add("chromaticities", "stated") }
    }

    private mutating func add(_ density: PixelDensity) {
        guard let perInch = density.perInch else {
            add("pixel shape", "\(density.horizontal) to \(density.vertical)")
            return
        }
        let numbers = [perInch.horizontal, perInch.vertical].map { String(format: "%.4g", $0) }
        add("resolution", "\(numbers[0]) × \(numbers[1]) pixels per inch")
    }

    private static func shortened(_ text: String) -> String {
        let line = text.prefix(200).map { $0.isNewline ? " " : String($0) }.joined()
        return line.utf8.count < text.utf8.count ? "\(line)… (\(text.utf8.count) bytes)" : line
    }
}

extension PNGHeader.ColorType {
    fileprivate var title: String {
        switch self {
        case .gray: "gray"
        case .rgb: "RGB"
        case .palette: "palette"
        case .grayAlpha: "gray and alpha"
        case .rgba: "RGB and alpha"
        }
    }
}

extension JPEGHeader {
    fileprivate var colorTitle: String {
        switch (components.count, adobeTransform) {
        case (1, _): "gray"
        case (3, 0): "RGB"
        case (3, _): "YCbCr"
        case (_, 2): "YCCK"
        default: "CMYK"
        }
    }
}
