public import Transformable

extension TransformerError.Code {
    /// The archive holds an object of a class that is not wanted there.
    public static let unexpectedClass = Self(rawValue: "unexpected-class")
    /// The archive has no object of the name that is asked for.
    public static let missingRoot = Self(rawValue: "missing-root")
    /// An object contains itself, which no value can.
    public static let cyclicReference = Self(rawValue: "cyclic-reference")
}

extension TransformerError {
    static func tooDeep(_ limit: Int, offset: Int? = nil) -> Self {
        limitExceeded("values are nested more than \(limit) deep; raise the limit “depth”", offset: offset)
    }

    static func tooMuchSharing(_ limit: Int) -> Self {
        limitExceeded("shared objects stand for more than \(limit) values, out of proportion to the archive's size")
    }

    static func missingRoot(_ key: String, known: [String]) -> Self {
        let names = known.prefix(8).map { "“\($0)”" }.joined(separator: ", ")
        let hint = known.isEmpty ? "it names none" : "it names \(names)"
        return Self(.missingRoot, "the archive has no top object “\(key)”; \(hint): choose it by the argument “root”")
    }

    static func cyclicReference(_ identifier: Int, offset: Int? = nil) -> Self {
        let message =
            "object \(identifier) contains itself, which no value can: decode a part of it, or open it as an Archive"
        return Self(.cyclicReference, message, offset: offset)
    }
}
