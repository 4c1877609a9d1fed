package import Foundation

/// A file format of images.
public enum ImageFileFormat: String, CaseIterable, Sendable {
    /// Portable Network Graphics (ISO/IEC 15948).
    case png
    /// The JPEG File Interchange Format and related formats (ITU-T T.81 and T.871).
    case jpeg

    /// The name of the format for display.
    public var title: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        }
    }

    /// Detects a format by its first bytes.
    package init?(detecting bytes: Data) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else {
            return nil
        }
    }
}
