internal import Foundation
internal import Transformable
internal import TransformableImages

extension Inspector {
    /// An inspector of PNG files.
    static let png = image(.png)

    /// An inspector of JPEG files.
    static let jpeg = image(.jpeg)

    /// Inspectors of formats that can be recognized, but not read.
    static let unreadable = ImageFileFormat.allCases.filter { $0 != .png && $0 != .jpeg }
        .map { format in
            Inspector("\(format.title) image") { bytes in
                guard ImageFileFormat(detecting: bytes) == format else { return nil }
                let size = ImageFileSize.read(bytes, format: format)
                let facts = [
                    size.map { Inspection.Fact("width", "\($0.width)") },
                    size.map { Inspection.Fact("height", "\($0.height)") },
                    Inspection.Fact("warning", TransformerError.unreadable(format).message),
                ]
                return Inspection("\(format.title) image", facts: facts.compactMap { $0 })
            }
        }

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
