public import Foundation
public import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var baseN: [Registration] {
        Registration(
            "base16",
            summary: "bytes as hexadecimal digits",
            .writing("lowercase", "whether the digits a to f are lowercase", default: false),
            ignoreSpace
        ) { lowercase, space in
            SpaceIgnoringTransformer(Base16Transformer(lowercase: lowercase), ignoresSpace: space)
        }
        Registration(
            "base32",
            summary: "bytes as text of A to Z and 2 to 7",
            .reading("padding", "whether = pads to a multiple of 8 characters", default: true),
            ignoreSpace
        ) { padding, space in
            SpaceIgnoringTransformer(Base32Transformer(padding: padding), ignoresSpace: space)
        }
        Registration(
            "base64",
            summary: "bytes as text of 64 characters",
            .reading("padding", "whether = pads to a multiple of 4 characters", default: true),
            ignoreSpace
        ) { padding, space in
            SpaceIgnoringTransformer(Base64Transformer(padding: padding), ignoresSpace: space)
        }
        Registration(
            "base64url",
            summary: "bytes as text that is safe in URLs and file names",
            .reading("padding", "whether = pads to a multiple of 4 characters", default: false),
            ignoreSpace
        ) { padding, space in
            SpaceIgnoringTransformer(Base64Transformer(alphabet: .url, padding: padding), ignoresSpace: space)
        }
        base85
    }

    @RegistrationBuilder private static var base85: [Registration] {
        Registration("base85", summary: "bytes as text, 5 characters for 4 bytes", ignoreSpace) { space in
            SpaceIgnoringTransformer(Base85Transformer(), ignoresSpace: space)
        }
        Registration(
            "ascii85",
            summary: "bytes as text, as in PostScript and PDF",
            .reading("frame", "whether the text is enclosed in <~ and ~>", default: false),
            ignoreSpace
        ) { frame, space in
            SpaceIgnoringTransformer(Base85Transformer(.ascii85(isFramed: frame)), ignoresSpace: space)
        }
        Registration("z85", summary: "multiples of 4 bytes as text safe in source code", ignoreSpace) { space in
            SpaceIgnoringTransformer(Base85Transformer(.z85), ignoresSpace: space)
        }
    }

    private static var ignoreSpace: Parameter<Bool> {
        .writing("ignoreSpace", "whether whitespace in the text is ignored", default: false)
    }
}

/// A transformer that can ignore whitespace in the text of another transformer.
///
/// Mail and PEM files break base 64 into lines. In all other respects, the other transformer remains as strict as
/// before. Encoded text contains no whitespace.
public struct SpaceIgnoringTransformer<Base: Transformer>: Transformer
where Base.Value == Data, Base.Encoded == String {
    private let base: Base
    private let ignoresSpace: Bool

    /// Creates a transformer that wraps another one.
    ///
    /// - Parameters:
    ///   - base: The transformer that encodes and decodes the text.
    ///   - ignoresSpace: Whether spaces, tabs, and newlines in text are ignored.
    public init(_ base: Base, ignoresSpace: Bool = true) {
        self.base = base
        self.ignoresSpace = ignoresSpace
    }

    /// The traits of the wrapped transformer.
    public var traits: TransformerTraits { base.traits }

    /// Encodes bytes with the wrapped transformer.
    public func encode(_ value: Data, in context: TransformContext) throws -> String {
        try base.encode(value, in: context)
    }

    /// Returns the candidates of the wrapped transformer.
    public func candidates(for value: Data, in context: TransformContext) throws -> [String] {
        try base.candidates(for: value, in: context)
    }

    /// Decodes text.
    ///
    /// The offset of an error includes whitespace.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Data {
        guard ignoresSpace, encoded.utf8.contains(where: Self.isSpace) else {
            return try base.decode(encoded, in: context)
        }
        do {
            let text = String(decoding: encoded.utf8.filter { !Self.isSpace($0) }, as: UTF8.self)
            return try base.decode(text, in: context)
        } catch var error as TransformerError {
            error.offset = error.offset.map { Self.offset(ofCharacter: $0, in: encoded) }
            throw error
        }
    }

    private static func offset(ofCharacter count: Int, in text: String) -> Int {
        let places = text.utf8.enumerated().lazy.filter { !isSpace($0.element) }.map(\.offset)
        return places.dropFirst(count).first { _ in true } ?? text.utf8.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

extension SpaceIgnoringTransformer: CompositeTransformer {
    package var parts: [any OneWayTransformer] { [base] }
}
