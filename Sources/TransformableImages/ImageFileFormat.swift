package import Foundation

/// A file format of images.
///
/// Which formats can be read and written depends on the plugins.
public enum ImageFileFormat: String, CaseIterable, Sendable {
    /// Portable Network Graphics (ISO/IEC 15948).
    case png
    /// The JPEG File Interchange Format and related formats (ITU-T T.81 and T.871).
    case jpeg
    /// WebP (RFC 9649).
    case webp
    /// The Graphics Interchange Format.
    case gif
    /// The Tag Image File Format, also for most raw files of cameras.
    case tiff
    /// The High Efficiency Image File Format with HEVC (ISO/IEC 23008-12).
    case heic
    /// The AV1 Image File Format.
    case avif

    /// The name of the format for display.
    public var title: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .gif: "GIF"
        case .tiff: "TIFF"
        case .heic: "HEIC"
        case .avif: "AVIF"
        }
    }

    /// Detects a format by its first bytes.
    package init?(detecting bytes: Data) {
        let found: Self? =
            switch Array(bytes.prefix(4)) {
            case [0x89, 0x50, 0x4E, 0x47]:
                bytes.dropFirst(4).starts(with: [0x0D, 0x0A, 0x1A, 0x0A]) ? .png : nil
            case let start where start.starts(with: [0xFF, 0xD8, 0xFF]): .jpeg
            case Array("RIFF".utf8): bytes.dropFirst(8).starts(with: Data("WEBP".utf8)) ? .webp : nil
            case Array("GIF8".utf8): .gif
            case [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]: .tiff
            default: Self(brandsOf: ByteReader(bytes))
            }
        guard let found else { return nil }
        self = found
    }

    /// Detects a format by the brands at the beginning of an ISO base media file (ISO/IEC 14496-12, section 4.3).
    private init?(brandsOf reader: ByteReader) {
        guard let size = reader.uint32(0), reader.slice(4, 4) == Data("ftyp".utf8) else { return nil }
        // The brand, its version, and compatible brands. Real files have a handful.
        let offsets = [8] + Array(stride(from: 16, to: min(size, 256), by: 4))
        let brands = Set(offsets.compactMap { reader.slice($0, 4).map { String(latin1: $0) } })
        if !brands.isDisjoint(with: ["avif", "avis"]) {
            self = .avif
        } else if !brands.isDisjoint(with: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]) {
            self = .heic
        } else {
            return nil
        }
    }
}
