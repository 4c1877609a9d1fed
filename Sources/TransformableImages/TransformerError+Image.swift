package import Foundation
public import Transformable

extension TransformerError.Code {
    /// The bytes end before the image is complete.
    public static let truncatedData = Self(rawValue: "truncated-data")
    /// The image has an alpha channel, but the format does not support it.
    public static let alphaNotSupported = Self(rawValue: "alpha-not-supported")
}

extension TransformerError {
    package static func truncated(
        _ format: ImageFileFormat,
        offset: Int,
        _ what: String = "",
        isRecoverable: Bool = false
    ) -> Self {
        let detail = what.isEmpty ? "" : ": \(what)"
        return Self(
            .truncatedData,
            "the \(format.title) file is truncated\(detail)\(isRecoverable ? remedy(format) : "")",
            offset: offset
        )
    }

    package static func damaged(
        _ format: ImageFileFormat,
        _ what: String,
        offset: Int? = nil,
        isRecoverable: Bool = false
    ) -> Self {
        .invalidData(
            "the \(format.title) file is damaged: \(what)\(isRecoverable ? remedy(format) : "")",
            offset: offset
        )
    }

    /// Returns a hint about the arguments that accept the readable part of a file.
    private static func remedy(_ format: ImageFileFormat) -> String {
        "; to accept its readable part, use “\(format.rawValue)(tolerant: true)” or “image(tolerant: true)”"
    }

    package static func notAnImage(_ bytes: Data) -> Self {
        if bytes.isEmpty { return .invalidData("expected a PNG or JPEG file, but there are no bytes", offset: 0) }
        return .invalidData("the bytes are not a PNG or JPEG file", offset: 0)
    }

    package static func tooManyPixels(_ width: Int, _ height: Int, limit: Int) -> Self {
        .limitExceeded(
            "the image has \(width) × \(height) pixels, more than \(limit); raise the limit with “maxPixels”"
        )
    }

    package static func tooMuchMetadata(_ limit: Int) -> Self {
        .limitExceeded(
            "the metadata of the image takes more than \(limit.counted("byte")); raise the limit with “maxMetadata”, or remove it with “strip: true”"
        )
    }

    package static var outOfMemory: Self {
        .limitExceeded("there is not enough memory for the image")
    }
}

extension TransformerError {
    package static func alphaNotSupported(by what: String, remedy: String) -> Self {
        Self(.alphaNotSupported, "the image has an alpha channel, but \(what) has none; \(remedy)")
    }
}
