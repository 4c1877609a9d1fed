public import Transformable

extension TransformerError.Code {
    /// The archive contains an object of a class that is not allowed there.
    public static let unexpectedClass = Self(rawValue: "unexpected-class")
    /// The archive has no top-level object with the requested name.
    public static let missingRoot = Self(rawValue: "missing-root")
    /// An object contains itself, which a value cannot do.
    public static let cyclicReference = Self(rawValue: "cyclic-reference")
}

extension TransformerError {
    package static func tooDeep(_ limit: Int, offset: Int? = nil) -> Self {
        limitExceeded("values are nested more than \(limit) levels deep; raise the limit “depth”", offset: offset)
    }

    package static func tooMuchSharing(_ limit: Int) -> Self {
        limitExceeded(
            "shared objects represent more than \(limit) values, which is out of proportion to the size of the archive"
        )
    }

    /// Returns a path in an archive, in the format of `--extract`: `shapes.0.color`.
    package static func place(_ path: CodingPath) -> String { place(path.keys) }

    package static func unexpectedClass(_ name: String, at path: CodingPath, allowed: String) -> Self {
        unexpectedClass(name, at: place(path), allowed: allowed)
    }

    static func unexpectedClass(_ name: String, at place: String, allowed: String) -> Self {
        Self(.unexpectedClass, "“\(place)” is an object of class \(name), but only these are allowed: \(allowed)")
    }

    static func missingRoot(_ key: String, known: [String]) -> Self {
        let names = known.prefix(8).map { "“\($0)”" }.joined(separator: ", ")
        let hint = known.isEmpty ? "it has none" : "it has \(names)"
        return Self(
            .missingRoot,
            "the archive has no top-level object “\(key)”; \(hint): select one with the argument “root”"
        )
    }

    static func cyclicReference(_ identifier: Int, offset: Int? = nil) -> Self {
        let message =
            "object \(identifier) contains itself, which a value cannot do; decode a part of it, or open it as an Archive"
        return Self(.cyclicReference, message, offset: offset)
    }
}
