internal import Foundation
internal import Transformable
internal import TransformableImages

extension WebPHeader: ImageFileHeader {
    var format: ImageFileFormat { .webp }

    var frameCount: Int { frame?.count ?? 1 }

    var facts: [Inspection.Fact] {
        var result = [Inspection.Fact("coding", picture.isLossless ? "lossless" : "lossy")]
        if picture.hasAlpha { result.append(Inspection.Fact("transparency", "yes")) }
        return result
    }

    func readMetadata(_ file: EncodedImage) -> ReadMetadata {
        var result = WebPMetadataReader(file, body: body).read()
        if let frame, frame.count > 1 {
            result.warnings.append(
                "the file is an animation of \(frame.count.counted("frame")), of which only the first is read"
            )
        }
        return result
    }

    func checkStructure(_ file: EncodedImage) throws(TransformerError) {
        var chunks = WebPChunks(ByteReader(file.bytes, isLittleEndian: true), in: body)
        while chunks.next() != nil {}
        guard chunks.offset == body.upperBound else {
            throw .damaged(.webp, "its chunks do not lead to its end", offset: chunks.offset)
        }
    }

    func replacing(
        _ file: EncodedImage,
        with metadata: ImageMetadata,
        isStripping: Bool
    ) throws(TransformerError) -> Data {
        try file.checkStructure()
        let reader = ByteReader(file.bytes, isLittleEndian: true)
        var picture = Data()
        for chunk in WebPChunks(reader, in: body) {
            switch chunk.type {
            case .extended, .profile, .exif, .xmp: continue
            case .alpha, .lossy, .lossless, .animation, .frame: break
            case nil where isStripping: continue
            case nil: break
            }
            picture += reader.slice(chunk.offset, min(chunk.end, body.upperBound) - chunk.offset) ?? Data()
            if picture.count % 2 == 1 { picture.append(0) }
        }
        let metadata = try WebPMetadataWriter(metadata)
        let result = metadata.file(picture, of: self, isAnimated: frame != nil)
        return isStripping ? result : result + file.bytes.dropFirst(body.upperBound)
    }
}
