internal import Foundation
internal import Transformable

/// Encodes and decodes values in their human-readable form with a resolved expression.
struct ValueCodec {
    let resolved: ResolvedTransformer
    let valueForm: AnyHumanForm
    private let encodedForm: AnyHumanForm

    /// Resolves an expression.
    ///
    /// Its values must have a human-readable form, and its encoded form must fit a column.
    init(_ expression: String, in registry: TransformerRegistry) throws {
        resolved = try registry.resolve(expression, ending: .column)
        guard let form = resolved.form else {
            throw CommandError(
                .usage,
                "“\(expression)” takes \(typeName(resolved.valueType)), which has no human-readable form"
            )
        }
        valueForm = form
        guard let form = AnyHumanForm.automatic(for: resolved.encodedType) else {
            throw CommandError(
                .usage,
                "“\(expression)” produces \(typeName(resolved.encodedType)), which has no human-readable form"
            )
        }
        encodedForm = form
    }

    /// The members of a JSON document that describe its value.
    var members: [(name: String, json: String)] {
        [
            (name: "expression", json: JSONText.string(resolved.expression.description)),
            (name: "type", json: JSONText.string(typeName(resolved.valueType))),
        ]
    }

    /// Whether the human-readable form of the value is text.
    var hasTextForm: Bool { valueForm.isText }
    /// Whether errors and reports must not reveal anything about the value.
    var isConfidential: Bool { resolved.traits.contains(.confidential) }

    /// Parses a value from its human-readable form.
    ///
    /// A final newline that is not part of the value is ignored.
    ///
    /// - Parameters:
    ///   - bytes: The human-readable form.
    ///   - source: The source of the bytes, which is named in errors.
    /// - Returns: The value.
    /// - Throws: `TransformerError` if the bytes are not a valid value.
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

    /// Decodes an encoded form.
    ///
    /// A final newline that is not part of it is ignored.
    ///
    /// - Parameters:
    ///   - bytes: The encoded form.
    ///   - source: The source of the bytes, which is named in errors.
    ///   - notation: The notation of the bytes.
    /// - Returns: The value.
    /// - Throws: `TransformerError` if the bytes cannot be decoded, or ``CommandError`` with the code
    ///   ``CommandError/Code/badInput`` if they are not in the given notation.
    func decode(_ bytes: Data, from source: InputSource, _ notation: EncodedNotation?) throws -> Any {
        try named(source) {
            if let notation {
                return try decode(parsing: notation.bytes(of: bytes))
            }
            let candidates = resolved.encodedType == Data.self ? nil : bytes.withoutLineEnd.map { [bytes, $0] }
            return try firstThatSucceeds(candidates ?? [bytes]) { try decode(parsing: $0) }
        }
    }

    /// Decodes an encoded form and returns a part of the value.
    ///
    /// The part can be decoded even if the whole has no value type.
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

    /// Returns the human-readable form of a value.
    func content(ofValue value: Any, format: String?) throws -> Content {
        let bytes = try onPlainSide { try valueForm.print(value, forFormat: format) }
        // Text and data are shown as they are. All other values are represented by a line of text.
        let isItself = resolved.valueType == String.self || resolved.valueType == Data.self
        let isLine = valueForm.isText && !isItself && bytes.last != UInt8(ascii: "\n")
        return Content(bytes: bytes, isConfidential: isConfidential, isLine: isLine)
    }

    /// Returns the human-readable form of a part of a value, or its bytes if it is text or data.
    func content(ofPart part: any PartedValue, isRaw: Bool) throws -> Content {
        if isRaw, let bytes = part.rawBytes {
            return Content(bytes: bytes, isConfidential: isConfidential, isLine: false)
        }
        return try content(ofValue: part, format: nil)
    }

    /// Returns remarks about a value, unless it is secret.
    func remarks(on value: Any) -> [String] {
        isConfidential ? [] : valueForm.remarks(value)
    }

    /// Returns an encoded form as text or bytes.
    func content(ofEncoded encoded: Any, _ notation: EncodedNotation?) throws -> Content {
        let bytes = try encodedForm.print(encoded, nil)
        guard let notation else { return Content(bytes: bytes, isLine: encodedForm.isText) }
        guard encoded is Data || encoded is String else {
            let option = "--\(notation.rawValue)"
            throw CommandError(.usage, "\(option) is for bytes, but “\(resolved.expression)” produces a number")
        }
        return Content(bytes: notation.text(of: bytes), isLine: true)
    }

    /// Returns two values in their human-readable form, if that is text.
    func texts(of left: Any, _ right: Any) throws -> (left: Data, right: Data)? {
        guard valueForm.isText else { return nil }
        return try onPlainSide { (try valueForm.print(left, nil), try valueForm.print(right, nil)) }
    }

    /// Returns the size of an encoded form in bytes.
    ///
    /// A number takes eight.
    func size(ofEncoded encoded: Any) throws -> Int {
        encoded is Data || encoded is String ? try encodedForm.print(encoded, nil).count : 8
    }

    /// Names the input in errors that name no transformer, and the way to read a file if the value is the name of one.
    func named<Result>(_ source: InputSource, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as TransformerError {
            error.transformer = error.transformer ?? source.name
            if source.isNameOfFile {
                error.message += "; to read the value from a file, use --in"
                // Positions in the name are not positions in the file.
                error.offset = nil
            }
            throw error
        }
    }

    /// Replaces errors of a human-readable form that could reveal a confidential value.
    func onPlainSide<Result>(_ body: () throws -> Result) throws -> Result {
        guard isConfidential else { return try body() }
        do {
            return try body()
        } catch let error as TransformerError where error.isSafeToShow {
            throw error
        } catch {
            let code = (error as? TransformerError)?.code ?? .invalidValue
            throw TransformerError(code, "the value is invalid (it is confidential, so no details are shown)")
        }
    }

    /// Returns the result for the first candidate that succeeds, or throws the first error.
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
    /// The bytes without the newline at their end, or nil if there is none.
    var withoutLineEnd: Data? {
        guard last == UInt8(ascii: "\n") else { return nil }
        let line = dropLast()
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

extension ValueCodec {
    /// Whether the encoded form is text or a number, so that a newline can follow it.
    var encodesToText: Bool { resolved.encodedType != Data.self }

    /// Rejects an expression that only encodes, before any input is read.
    ///
    /// - Throws: `TransformerError` with the code `notReversible` if the expression is one-way.
    func requireReversible() throws(TransformerError) {
        guard !resolved.isReversible else { return }
        let culprit = resolved.stages.first { !$0.isReversible }?.name.rawValue
        let message = "“\(resolved.expression)” can only encode; its output cannot be decoded"
        throw TransformerError(.notReversible, message, transformer: culprit)
    }
}

extension AnyHumanForm {
    /// Returns a value in the requested format.
    ///
    /// A format that the form does not support is a usage error.
    ///
    /// - Parameters:
    ///   - value: A value of the form's type.
    ///   - format: The extension of the output file.
    /// - Returns: The human-readable form.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if the format is not supported, and any
    ///   error thrown by the form.
    func print(_ value: Any, forFormat format: String?) throws -> Data {
        do {
            return try print(value, format)
        } catch let error as TransformerError where error.code == .unsupported && format != nil {
            throw CommandError(.usage, ErrorLine.sentence(for: error))
        }
    }
}
