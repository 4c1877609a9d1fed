internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

extension FoundationClass {
    /// Matches of a regular expression, which have private classes for few, some, and many ranges.
    static var matches: [Self] {
        guard let expression = try? NSRegularExpression(pattern: "a") else { return [] }
        return [("Simple", 1), ("Extended", 4), ("Complex", 8)]
            .map { name, count in
                let ranges = Array(repeating: NSRange(), count: count)
                let type = Swift.type(of: result(ranges, of: expression))
                let superclasses = ["NSRegularExpressionCheckingResult", "NSTextCheckingResult", "NSObject"]
                return match(type, chain: ["NS\(name)RegularExpressionCheckingResult"] + superclasses)
            } + [match(NSTextCheckingResult.self, chain: ["NSTextCheckingResult", "NSObject"])]
    }

    private static func match(_ type: NSTextCheckingResult.Type, chain: [String]) -> Self {
        Self(
            type: type,
            archivedClass: ArchivedClass(chain[0], chain: chain),
            encode: { object, archiver in
                guard let match = object as? NSTextCheckingResult else {
                    throw TransformerError.notCodable(type, at: .top)
                }
                try archiver.put(match)
            },
            decode: { try $0.match() }
        )
    }

    fileprivate static func result(_ ranges: [NSRange], of expression: NSRegularExpression) -> NSTextCheckingResult {
        // The ranges are copied.
        var ranges = ranges
        return .regularExpressionCheckingResult(ranges: &ranges, count: ranges.count, regularExpression: expression)
    }
}

extension ObjectArchiver {
    fileprivate func put(_ match: NSTextCheckingResult) throws {
        try put(match.range.location, in: .key("NSRangeLocation"))
        try put(match.range.length, in: .key("NSRangeLength"))
        try put(match.regularExpression, in: .key("NSRegularExpression"))
        let ranges = (0..<match.numberOfRanges).map { NSValue(range: match.range(at: $0)) }
        try put(NSArray(array: ranges), in: .key("NSRangeArray"))
    }
}

extension ObjectUnarchiver {
    /// Decodes a match, which has at least the range of the whole.
    fileprivate func match() throws -> NSTextCheckingResult {
        guard let expression = try object(NSRegularExpression.self, "NSRegularExpression"),
            let values = try objects(.key("NSRangeArray"), allowed: AllowedClasses([NSValue.self])), !values.isEmpty
        else { throw broken(NSTextCheckingResult.self) }
        let ranges = try values.map { value in
            guard let value = value as? NSValue, String(cString: value.objCType) == Self.rangeType else {
                throw broken(NSTextCheckingResult.self)
            }
            return value.rangeValue
        }
        return FoundationClass.result(ranges, of: expression)
    }

    private static let rangeType = String(cString: NSValue(range: NSRange()).objCType)
}
