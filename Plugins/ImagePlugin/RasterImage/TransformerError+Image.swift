internal import Foundation
public import Transformable

extension TransformerError.Code {
    /// The bytes end before the picture does.
    public static let truncatedData = Self(rawValue: "truncated-data")
    /// The image has an alpha channel, and the format has none.
    public static let alphaNotSupported = Self(rawValue: "alpha-not-supported")
}

extension TransformerError {
    static func truncated(
        _ format: ImageFileFormat,
        offset: Int,
        _ what: String = "",
        isRecoverable: Bool = false
    ) -> Self {
        let detail = what.isEmpty ? "" : ": \(what)"
        return Self(
            .truncatedData,
            "the \(format.title) file is truncated, it ends before the picture does\(detail)\(wayOut(isRecoverable))",
            offset: offset
        )
    }

    static func damaged(
        _ format: ImageFileFormat,
        _ what: String,
        offset: Int? = nil,
        isRecoverable: Bool = false
    ) -> Self {
        .invalidData("the \(format.title) file is damaged: \(what)\(wayOut(isRecoverable))", offset: offset)
    }

    /// The argument that accepts what a viewer would show.
    private static func wayOut(_ isRecoverable: Bool) -> String {
        isRecoverable ? "; “jpeg(tolerant: true)” and “image(tolerant: true)” accept what is left of it" : ""
    }

    static func notAnImage(_ bytes: Data) -> Self {
        if bytes.isEmpty { return .invalidData("expected a PNG or JPEG file, found no bytes", offset: 0) }
        return .invalidData("expected a PNG or JPEG file, which these bytes do not begin like", offset: 0)
    }

    static func tooManyPixels(_ width: Int, _ height: Int, limit: Int) -> Self {
        .limitExceeded("the picture has \(width) × \(height) pixels, more than \(limit); raise it by “maxPixels”")
    }

    static var outOfMemory: Self {
        .limitExceeded("there is no memory for the picture")
    }
}

extension TransformerError {
    static func alphaNotSupported(by what: String, wayOut: String) -> Self {
        Self(.alphaNotSupported, "the image has an alpha channel, and \(what) has none; \(wayOut)")
    }
}
