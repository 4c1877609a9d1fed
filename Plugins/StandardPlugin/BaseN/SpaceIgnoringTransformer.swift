public import Foundation
public import Transformable

/// Bytes as another transformer's text, whose white space may be passed over when it is read.
///
/// Mail and PEM files break base 64 into lines. Nothing else of the other transformer's strictness changes, and what
/// is written has no white space.
public struct SpaceIgnoringTransformer<Base: Transformer>: Transformer
where Base.Value == Data, Base.Encoded == String {
    private let base: Base
    private let ignoresSpace: Bool

    /// Makes a transformer of another one.
    ///
    /// - Parameters:
    ///   - base: The transformer that writes and reads the text.
    ///   - ignoresSpace: Whether spaces, tabs and line ends in a text are passed over.
    public init(_ base: Base, ignoresSpace: Bool = true) {
        self.base = base
        self.ignoresSpace = ignoresSpace
    }

    /// What holds of the other transformer.
    public var traits: TransformerTraits { base.traits }

    /// The other transformer's text.
    public func encode(_ value: Data, in context: TransformContext) throws -> String {
        try base.encode(value, in: context)
    }

    /// The bytes; a failure's offset is one in the text with its white space.
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
