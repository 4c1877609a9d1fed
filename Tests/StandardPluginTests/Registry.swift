import Foundation
import StandardPlugin
import Testing
import Transformable

private let registry = Result {
    try TransformerRegistry {
        StandardPlugin()
    }
}

/// A registry of this plugin alone.
func standardRegistry() throws -> TransformerRegistry {
    try registry.get()
}

/// A case whose expression names it in failures.
struct Sample<Value: Sendable, Encoded: Sendable>: Sendable, CustomStringConvertible {
    var expression: String
    var value: Value
    var encoded: Encoded

    init(_ expression: String, _ value: Value, _ encoded: Encoded) {
        self.expression = expression
        self.value = value
        self.encoded = encoded
    }

    var description: String { "\(expression): \(value) = \(encoded)" }
}

/// Encodes by an expression to the type that it ends in.
func encode<Value, Encoded>(_ expression: String, _ value: Value, to type: Encoded.Type) throws -> Encoded {
    try standardRegistry().projection(expression, for: Value.self, to: type).encode(value)
}

/// Decodes by an expression from the type that it ends in.
func decode<Value, Encoded>(_ expression: String, _ encoded: Encoded, as type: Value.Type) throws -> Value {
    let resolved = try standardRegistry().resolve(expression, for: type, ending: .anything)
    return try resolved.reversible(from: type, to: Encoded.self).decode(encoded)
}

/// Expects an error of a code, at an offset if one is given.
func expectFailure<Result>(
    _ code: TransformerError.Code,
    at offset: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) {
    let error = #expect(throws: TransformerError.self, sourceLocation: sourceLocation) { _ = try body() }
    #expect(error?.code == code, "\(error.map(\.description) ?? "")", sourceLocation: sourceLocation)
    if let offset {
        #expect(error?.offset == offset, "\(error.map(\.description) ?? "")", sourceLocation: sourceLocation)
    }
}

extension Data {
    /// Bytes of hexadecimal digits.
    init(hex: String) {
        self.init()
        var rest = hex[...]
        while !rest.isEmpty {
            append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
    }
}
