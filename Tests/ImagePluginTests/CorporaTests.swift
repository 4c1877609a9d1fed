import Foundation
import ImagePlugin
import Testing
import Transformable

/// Files made by others, of the folder that the variable TRANSFORMABLE_CORPORA names.
@Suite(.enabled(if: Corpora.folder != nil, "TRANSFORMABLE_CORPORA names no folder"))
struct CorporaTests {
    @Test(arguments: Corpora.files(in: "png/pngsuite"))
    func pngSuiteIsReadAndWritten(file: Corpora.File) throws {
        let image = try PNGTransformer().decode(file.bytes)
        let again = try PNGTransformer(options: PNGOptions(palette: .automatic)).encode(image.detached())
        #expect(try RasterImage(encoded: again) == image)
        #expect(try PNGTransformer().encode(image) == file.bytes)
    }

    /// image-rs keeps a 16-bit or plain PNG of each picture, which other programs made.
    @Test(arguments: Corpora.files(in: "png/image-rs/tests/images"))
    func picturesOfImageRsAreRead(file: Corpora.File) throws {
        #expect(try PNGTransformer().decode(file.bytes).pixels.isEmpty == false)
    }

    @Test(arguments: Corpora.files(in: "jpeg/exif-orientation-examples"))
    func orientationsAreRead(file: Corpora.File) throws {
        let image = try JPEGTransformer().decode(file.bytes)
        #expect(file.name.contains("_\(image.metadata.orientation.rawValue)."))
        // Every landscape is one once it is upright.
        let upright = try image.thumbnail(fit: 60)
        #expect(upright.width > upright.height)
    }

    @Test(arguments: Corpora.files(in: "jpeg") + Corpora.files(in: "png"))
    func everyFileIsAnImageOrATypedError(file: Corpora.File) throws {
        do {
            let image = try RasterImage(encoded: file.bytes)
            _ = image.metadata
            _ = try image.pixels
        } catch let error as TransformerError {
            #expect(!error.message.isEmpty)
        }
    }

    @Test(arguments: Corpora.files(in: "jpeg/libjpeg-turbo") + Corpora.files(in: "jpeg/jpeg-decoder/tests/reftest"))
    func unchangedFilesStayWhatTheyAre(file: Corpora.File) throws {
        guard let image = try? JPEGTransformer().decode(file.bytes) else { return }
        #expect(try JPEGTransformer().encode(image) == file.bytes)
        var turned = image
        turned.metadata.orientation = .left
        guard let pixels = try? image.pixels else { return }
        #expect(try RasterImage(encoded: JPEGTransformer().encode(turned)).pixels == pixels)
    }
}

enum Corpora {
    struct File: Sendable, CustomTestStringConvertible {
        let url: URL

        var name: String { url.lastPathComponent }
        var testDescription: String { name }
        var bytes: Data { get throws { try Data(contentsOf: url) } }
    }

    static var folder: URL? {
        ProcessInfo.processInfo.environment["TRANSFORMABLE_CORPORA"].map { URL(fileURLWithPath: $0) }
    }

    static func files(in path: String) -> [File] {
        guard let folder,
            let all = FileManager.default.enumerator(at: folder.appending(path: path), includingPropertiesForKeys: [])
        else { return [] }
        return all.compactMap { $0 as? URL }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .filter { !["md", "txt", "c", "ppm"].contains($0.pathExtension) }
            .map(File.init)
            .sorted { $0.url.path < $1.url.path }
    }
}
