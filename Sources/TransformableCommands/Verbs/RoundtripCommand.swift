internal import ArgumentParser
internal import Foundation
internal import Transformable

/// `roundtrip`: checks whether a value survives encoding and decoding.
struct RoundtripCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "roundtrip",
            abstract: "Encode a value, decode it again, and compare the results.",
            discussion: Help.lines(
                "The exit status is 1 if the value differs, unless the expression is declared lossy.",
                examples: [
                    "roundtrip rect '{{1, 2}, {3, 4}}'",
                    "roundtrip 'png | gzip' --in photo.png",
                    "roundtrip 'jpeg(quality: 50)' --in photo.png --json",
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument

    @Argument(help: "The value; “-” is standard input, which is the default unless --in is given.")
    var value: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var listing: ListingOptions
    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        let codec = try expression.codec(in: keys.registry(session))
        try codec.requireReversible()
        let source = try input.source(argument: value, session.io)
        if case .file(let path) = source { try session.requireOutput(apartFrom: [path]) }
        let report = try RoundtripReport(of: source.read(session.io), from: source, codec)
        if listing.json {
            try session.print(json: report)
        } else {
            try session.print(report.text)
        }
        if let fault = report.faults.first {
            throw CommandError(.faultsFound, "“\(report.expression)” does not behave as declared: \(fault)")
        }
    }
}

/// The result of encoding a value and decoding it again.
struct RoundtripReport: Encodable {
    let expression: String
    let valueType: String
    let encodedType: String
    let inputBytes: Int
    let encodedBytes: Int
    /// Whether the decoded value equals the value, bit for bit, or nil if its type cannot be compared.
    let isEqual: Bool?
    let isLossy: Bool
    /// Whether encoding again produced the same bytes, or nil if the transformer is not deterministic.
    let isRepeatable: Bool?
    /// The promises of the transformer that were not kept.
    let faults: [String]
    /// Whether the values are equal according to their type, for example 0 and -0, or a composed and a decomposed “é”.
    private let isEquivalent: Bool

    private enum CodingKeys: String, CodingKey {
        case expression, valueType, encodedType, inputBytes, encodedBytes, isEqual, isLossy, isRepeatable, faults
    }

    /// Encodes a value, decodes the result, and compares.
    ///
    /// - Parameters:
    ///   - input: The value in its human-readable form.
    ///   - source: The source of the value.
    ///   - codec: The expression.
    /// - Throws: `TransformerError` if the value cannot be encoded or decoded.
    init(of input: Data, from source: InputSource, _ codec: ValueCodec) throws {
        let resolved = codec.resolved
        let value = try codec.value(input, from: source)
        let encoded = try codec.encode(value)
        let decoded = try resolved.decode(any: encoded, in: .none)
        expression = resolved.expression.description
        valueType = typeName(resolved.valueType)
        encodedType = typeName(resolved.encodedType)
        inputBytes = input.count
        encodedBytes = try codec.size(ofEncoded: encoded)
        isLossy = resolved.traits.contains(.lossy)
        isEqual = try codec.areEqual(value, decoded)
        isEquivalent = BitComparison.areEqual(value, decoded) ?? false
        let promisesToRepeat = resolved.traits.contains(.deterministic)
        isRepeatable = promisesToRepeat ? BitComparison.areSame(encoded, try codec.encode(value)) : nil
        faults = [
            isEqual == false && !isEquivalent && !isLossy
                ? "the decoded value differs, although the expression is not lossy" : nil,
            isRepeatable == false
                ? "encoding again produced different bytes, although the expression is deterministic" : nil,
        ]
        .compactMap { $0 }
    }

    /// The report as lines of text.
    var text: String {
        let comparison =
            switch isEqual {
            case true?: "equal to the value"
            case false? where isEquivalent: "equal to the value, but not bit for bit"
            case false?: isLossy ? "differs from the value, as a lossy expression may" : "DIFFERS from the value"
            case nil: "cannot be compared, because \(valueType) is not Equatable"
            }
        var lines = [
            expression,
            "  value:    \(valueType), \(inputBytes.counted("byte")) as given",
            "  encoded:  \(encodedType), \(encodedBytes.counted("byte"))",
            "  decoded:  \(comparison)",
        ]
        if let isRepeatable {
            lines.append("  repeated: \(isRepeatable ? "the same encoded form" : "a DIFFERENT encoded form")")
        }
        return lines.joined(separator: "\n")
    }
}

extension ValueCodec {
    /// Returns whether two values are the same: bit for bit, or else by their text, or else by their encoded forms.
    fileprivate func areEqual(_ left: Any, _ right: Any) throws -> Bool? {
        if let areSame = BitComparison.areSame(left, right) { return areSame }
        if let texts = try texts(of: left, right) { return texts.left == texts.right }
        guard resolved.traits.contains(.canonical) else { return nil }
        return BitComparison.areSame(try encode(left), try encode(right))
    }
}

/// Compares values bit for bit, as far as their types expose their parts.
///
/// `==` would treat 0 and -0 as equal, and a NaN as different from itself.
enum BitComparison {
    /// Returns whether two values have the same bits, or nil if their type neither exposes its parts nor is
    /// `Equatable`.
    static func areSame(_ left: Any, _ right: Any) -> Bool? {
        guard type(of: left) == type(of: right) else { return false }
        if let result = areSameNumbers(left, right) { return result }
        switch (left, right) {
        case (let left as Date, let right as Date):
            return areSame(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        case (let left as String, let right as String): return left.utf8.elementsEqual(right.utf8)
        case (let left as Data, let right as Data): return left == right
        case (let left as CGRect, let right as CGRect):
            return areSame(
                [left.origin.x, left.origin.y, left.size.width, left.size.height],
                [right.origin.x, right.origin.y, right.size.width, right.size.height]
            )
        case (let left as CGPoint, let right as CGPoint): return areSame([left.x, left.y], [right.x, right.y])
        case (let left as CGSize, let right as CGSize):
            return areSame([left.width, left.height], [right.width, right.height])
        default: return areSameParts(left, right) ?? areEqual(left, right)
        }
    }

    /// Returns whether two values of the same `Equatable` type are equal, or nil for other types.
    static func areEqual(_ left: Any, _ right: Any) -> Bool? {
        func compare<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
        return (left as? any Equatable).map { compare($0) }
    }

    private static func areSameNumbers(_ left: Any, _ right: Any) -> Bool? {
        switch (left, right) {
        case (let left as Double, let right as Double): left.bitPattern == right.bitPattern
        case (let left as Float, let right as Float): left.bitPattern == right.bitPattern
        case (let left as CGFloat, let right as CGFloat): left.native.bitPattern == right.native.bitPattern
        default: nil
        }
    }

    /// Compares elements, members, and associated values, or returns nil for other types.
    private static func areSameParts(_ left: Any, _ right: Any) -> Bool? {
        let (leftMirror, rightMirror) = (Mirror(reflecting: left), Mirror(reflecting: right))
        switch leftMirror.displayStyle {
        case .dictionary:
            guard let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any] else { return nil }
            return areSameMembers(left, right)
        case .collection, .tuple, .optional, .enum:
            // A case without associated values is compared by the type's `==`.
            guard !leftMirror.children.isEmpty || !rightMirror.children.isEmpty else { return nil }
            guard leftMirror.children.count == rightMirror.children.count else { return false }
            return allAreSame(
                zip(leftMirror.children, rightMirror.children).lazy
                    .map { left, right in
                        left.label == right.label ? areSame(left.value, right.value) : false
                    }
            )
        default: return nil
        }
    }

    private static func areSameMembers(_ left: [AnyHashable: Any], _ right: [AnyHashable: Any]) -> Bool? {
        guard left.count == right.count else { return false }
        return allAreSame(left.lazy.map { key, value in right[key].map { areSame(value, $0) } ?? false })
    }

    /// Returns false if any result is false, or otherwise nil if any result is nil.
    private static func allAreSame(_ results: some Sequence<Bool?>) -> Bool? {
        var isKnown = true
        for result in results {
            guard result != false else { return false }
            isKnown = isKnown && result != nil
        }
        return isKnown ? true : nil
    }
}
