internal import Foundation
internal import Transformable

/// A resolved expression between human forms: what a person gives goes in, what a person reads comes out.
struct ValueCodec {
    let resolved: ResolvedTransformer
    let valueForm: AnyHumanForm
    private let encodedForm: AnyHumanForm

    /// Resolves an expression whose value a person can give and whose encoded form fits a column.
    init(_ expression: String, in registry: TransformerRegistry) throws {
        resolved = try registry.resolve(expression, ending: .column)
        guard let form = resolved.form else {
            throw CommandError(.usage, "“\(expression)” takes \(typeName(resolved.valueType)), which has no human form")
        }
        valueForm = form
        guard let form = AnyHumanForm.automatic(for: resolved.encodedType) else {
            throw CommandError(
                .usage,
                "“\(expression)” gives \(typeName(resolved.encodedType)), which has no human form"
            )
        }
        encodedForm = form
    }

    /// What a JSON document says of the values.
    var members: [(name: String, json: String)] {
        [
            (name: "expression", json: JSONText.string(resolved.expression.description)),
            (name: "type", json: JSONText.string(typeName(resolved.valueType))),
        ]
    }

    /// Whether a person gives and sees the value as text.
    var hasTextForm: Bool { valueForm.isText }
    /// Whether errors and reports must not show anything of the value.
    var isConfidential: Bool { resolved.traits.contains(.confidential) }

    /// Reads a value in its human form; a line's end that does not belong there is ignored.
    ///
    /// - Parameters:
    ///   - bytes: What a person gave.
    ///   - source: Where it was given, which a failure names.
    /// - Returns: The value.
    /// - Throws: `TransformerError`.
    func value(_ bytes: Data, from source: InputSource) throws -> Any {
        try named(source) {
            try onPlainSide {
                try firstThatSucceeds(bytes.withoutLineEnd.map { [bytes, $0] } ?? [bytes]) { try valueForm.parse($0) }
            }
        }
    }

    /// Encodes a value.
    func encode(_ value: Any) throws -> Any {
        try resolved.encode(any: value, in: .none)
    }

    /// Decodes what a person gave; a line's end that does not belong there is ignored.
    ///
    /// - Parameters:
    ///   - bytes: What a person gave.
    ///   - source: Where it was given, which a failure names.
    ///   - notation: How it was given.
    /// - Returns: The value.
    /// - Throws: `TransformerError`, or ``CommandError/Code/badInput``.
    func decode(_ bytes: Data, from source: InputSource, _ notation: EncodedNotation?) throws -> Any {
        try named(source) {
            if let notation {
                return try decode(parsing: notation.bytes(of: bytes))
            }
            let candidates = resolved.encodedType == Data.self ? nil : bytes.withoutLineEnd.map { [bytes, $0] }
            return try firstThatSucceeds(candidates ?? [bytes]) { try decode(parsing: $0) }
        }
    }

    /// Decodes what a person gave, and finds a part of it: by itself, where the whole is no value.
    func part(
        _ path: PartPath,
        of bytes: Data,
        from source: InputSource,
        _ notation: EncodedNotation?
    ) throws -> any PartedValue {
        let value: Any
        do {
            value = try decode(bytes, from: source, notation)
        } catch {
            let encoded = try? encodedForm.parse(notation?.bytes(of: bytes) ?? bytes)
            let part = try? encoded.flatMap { try resolved.decodePart(named: path.names, ofAny: $0, in: .none) }
            guard let part = part as? any PartedValue else { throw error }
            return part
        }
        return try path.part(of: value)
    }

    private func decode(parsing bytes: Data) throws -> Any {
        try resolved.decode(any: encodedForm.parse(bytes), in: .none)
    }

    /// Writes a value in its human form.
    func content(ofValue value: Any, format: String?) throws -> Content {
        let bytes = try onPlainSide { try valueForm.print(value, forFormat: format) }
        // Text and bytes are the value itself; anything else only stands for it, and is a line.
        let isItself = resolved.valueType == String.self || resolved.valueType == Data.self
        let isLine = valueForm.isText && !isItself && bytes.last != UInt8(ascii: "\n")
        return Content(bytes: bytes, isConfidential: isConfidential, isLine: isLine)
    }

    /// Writes a part of a value in the value's human form, or as it is if that is text or bytes.
    func content(ofPart part: any PartedValue, isRaw: Bool) throws -> Content {
        if isRaw, let bytes = part.rawBytes {
            return Content(bytes: bytes, isConfidential: isConfidential, isLine: false)
        }
        return try content(ofValue: part, format: nil)
    }

    /// What a person should know beside a value, unless it is secret.
    func remarks(on value: Any) -> [String] {
        isConfidential ? [] : valueForm.remarks(value)
    }

    /// Writes an encoded form.
    func content(ofEncoded encoded: Any, _ notation: EncodedNotation?) throws -> Content {
        let bytes = try encodedForm.print(encoded, nil)
        guard let notation else { return Content(bytes: bytes, isLine: encodedForm.isText) }
        guard encoded is Data || encoded is String else {
            let option = "--\(notation.rawValue)"
            throw CommandError(.usage, "\(option) shows bytes, and “\(resolved.expression)” gives a number")
        }
        return Content(bytes: notation.text(of: bytes), isLine: true)
    }

    /// Two values in their human form, if that is text.
    func texts(of left: Any, _ right: Any) throws -> (left: Data, right: Data)? {
        guard valueForm.isText else { return nil }
        return try onPlainSide { (try valueForm.print(left, nil), try valueForm.print(right, nil)) }
    }

    /// How many bytes the encoded form has; a number has eight.
    func size(ofEncoded encoded: Any) throws -> Int {
        encoded is Data || encoded is String ? try encodedForm.print(encoded, nil).count : 8
    }

    /// Names the input in a failure that names no transformer.
    func named<Result>(_ source: InputSource, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as TransformerError where error.transformer == nil {
            error.transformer = source.name
            throw error
        }
    }

    /// Withholds what a human form says about a value that must not be shown.
    func onPlainSide<Result>(_ body: () throws -> Result) throws -> Result {
        guard isConfidential else { return try body() }
        do {
            return try body()
        } catch let error as TransformerError where error.isSafeToShow {
            throw error
        } catch {
            let code = (error as? TransformerError)?.code ?? .invalidValue
            throw TransformerError(code, "the value is confidential and not of the form that is expected")
        }
    }

    /// The result for the first candidate that has one, else the first failure.
    private func firstThatSucceeds<Result>(_ candidates: [Data], _ body: (Data) throws -> Result) throws -> Result {
        var failure: (any Error)?
        for candidate in candidates {
            do {
                return try body(candidate)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? CommandError(.badInput, "there is no value")
    }
}

extension Data {
    /// The bytes before a line's end at their very end; nil if there is none.
    var withoutLineEnd: Data? {
        guard last == UInt8(ascii: "\n") else { return nil }
        let line = dropLast()
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

extension ValueCodec {
    /// Whether the encoded form is text or a number, which a line's end may follow.
    var encodesToText: Bool { resolved.encodedType != Data.self }

    /// Refuses an expression that only encodes, before any input is read.
    ///
    /// - Throws: `TransformerError.Code.notReversible`.
    func requireReversible() throws(TransformerError) {
        guard !resolved.isReversible else { return }
        let culprit = resolved.stages.first { !$0.isReversible }?.name.rawValue
        let message = "it only encodes, so that nothing leads back from “\(resolved.expression)” to the value"
        throw TransformerError(.notReversible, message, transformer: culprit)
    }
}
