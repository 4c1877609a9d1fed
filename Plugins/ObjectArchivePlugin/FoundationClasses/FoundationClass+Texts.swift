internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

extension FoundationClass {
    /// Strings and data.
    static var texts: [Self] {
        [
            Self(
                NSString.self,
                "NSString",
                encode: { try $1.putInline(String($0), in: .key("NS.string")) },
                decode: { NSString(string: try $0.storage.string($0.frame().node)) }
            ),
            Self(
                NSMutableString.self,
                "NSMutableString",
                "NSString",
                encode: { try $1.putInline(String($0), in: .key("NS.string")) },
                decode: { NSMutableString(string: try $0.storage.string($0.frame().node)) }
            ),
            Self(
                NSData.self,
                "NSData",
                encode: { try $1.putInline($0, in: .key("NS.data")) },
                decode: { try $0.data() }
            ),
            Self(
                NSMutableData.self,
                "NSMutableData",
                "NSData",
                encode: { try $1.putInline($0, in: .key("NS.data")) },
                decode: { try $0.mutableData() }
            ),
        ]
    }
}

extension ObjectArchiver {
    fileprivate func putInline(_ data: NSData, in slot: Slot) throws {
        try Data(referencing: data).withUnsafeBytes { try put($0, in: slot) }
    }
}

extension ObjectUnarchiver {
    /// Decodes data, which is created only once for objects that refer to the same bytes, because it copies them.
    fileprivate func data() throws -> NSData {
        let content = try storage.dataContent(frame().node)
        if let known = made[content] as? NSData { return known }
        let data = NSData(data: try storage.data(content))
        made[content] = data
        return data
    }

    /// Decodes mutable data, of which each object has its own copy.
    fileprivate func mutableData() throws -> NSMutableData {
        let data = try storage.data(frame().node)
        try chargeCopy(data.count)
        return NSMutableData(data: data)
    }
}

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

extension FoundationClass {
    /// Attributed strings and character sets.
    static var characters: [Self] {
        [
            Self(
                NSAttributedString.self,
                "NSAttributedString",
                encode: { $1.put($0) },
                decode: { NSAttributedString(attributedString: try $0.attributed()) }
            ),
            Self(
                NSMutableAttributedString.self,
                "NSMutableAttributedString",
                "NSAttributedString",
                encode: { $1.put($0) },
                decode: { try $0.attributed() }
            ),
            // Foundation's own encoding of a set of a string's characters releases the string too early.
            Self(
                NSCharacterSet.self,
                "NSCharacterSet",
                encode: { set, archiver in
                    try set.bitmapRepresentation.withUnsafeBytes { try archiver.put($0, in: .key("NSBitmap")) }
                },
                decode: { try $0.characterSet() }
            ),
        ]
    }
}

extension ObjectArchiver {
    /// Encodes an attributed string, and counts what a reader copies for its runs.
    fileprivate func put(_ text: NSAttributedString) {
        text.encode(with: self)
        text.enumerateAttributes(in: NSRange(location: 0, length: text.length)) { attributes, _, _ in
            copiedCount += ObjectUnarchiver.attributeSize * attributes.count
        }
    }
}

extension ObjectUnarchiver {
    /// Decodes an attributed string, which has a single dictionary of attributes, or a list of them and data that
    /// assigns them to runs.
    fileprivate func attributed() throws -> NSMutableAttributedString {
        guard let text = try text(.key("NSString")) else { throw broken(NSAttributedString.self) }
        let result = NSMutableAttributedString(string: text)
        switch try object(.key("NSAttributes"), allowed: frame().allowed.withValues) {
        case nil:
            break
        case let table as NSDictionary:
            result.setAttributes(try attributes(table), range: NSRange(location: 0, length: result.length))
        case let tables as NSArray:
            let runs = try bytes(.key("NSAttributeInfo")).map { try packedIntegers($0) } ?? []
            try charge(tables.count)
            try apply(runs, try tables.map { try attributes($0) }, to: result)
        default:
            throw broken(NSAttributedString.self)
        }
        return result
    }

    /// The cost of an attribute, in terms of values.
    ///
    /// A converted dictionary takes several times as much memory as the references in the archive.
    private static let attributeCost = 4

    /// The number of bytes that an attribute of a run takes, because Foundation on Linux copies the dictionary.
    ///
    /// 80 were measured, and 110 while the string is copied to one that cannot be changed.
    fileprivate static let attributeSize = 100

    private func attributes(_ table: Any) throws -> [NSAttributedString.Key: Any] {
        guard let table = table as? NSDictionary else { throw broken(NSAttributedString.self) }
        try charge(Self.attributeCost * table.count)
        var result: [NSAttributedString.Key: Any] = [:]
        for (key, value) in table {
            guard let key = key as? String else { throw broken(NSAttributedString.self) }
            result[NSAttributedString.Key(key)] = value
        }
        return result
    }

    private func apply(
        _ runs: [Int],
        _ tables: [[NSAttributedString.Key: Any]],
        to text: NSMutableAttributedString
    ) throws {
        var location = 0
        for position in stride(from: 0, to: runs.count - 1, by: 2) {
            let (length, table) = (runs[position], runs[position + 1])
            guard tables.indices ~= table, 1...max(1, text.length - location) ~= length, location < text.length else {
                throw broken(NSAttributedString.self)
            }
            try chargeCopy(Self.attributeSize * tables[table].count)
            text.setAttributes(tables[table], range: NSRange(location: location, length: length))
            location += length
        }
    }

    fileprivate func characterSet() throws -> NSCharacterSet {
        var set = CharacterSet()
        let builtin: Int = try integer(.key("NSBuiltinID")) ?? 0
        if let known = Self.builtinSets[builtin] {
            set = known
        } else if let range: Int64 = try integer(.key("NSRange")) {
            let (location, length) = (Int(range >> 32), Int(range & 0xFFFF_FFFF))
            guard location >= 0, location + length <= 0x110000 else { throw broken(NSCharacterSet.self) }
            set = NSCharacterSet(range: NSRange(location: location, length: length)) as CharacterSet
        } else if let text = try text(.key("NSString")) ?? text(.key("NSStringObject")) {
            set = CharacterSet(charactersIn: text)
        } else if let bitmap = try bytes(.key("NSBitmap")) ?? bytes(.key("NSBitmapObject")) {
            guard Self.isBitmap(bitmap) else { throw broken(NSCharacterSet.self) }
            try charge(bitmap.count)
            set = Self.characters(ofBitmap: [UInt8](bitmap))
        }
        return (try boolean(.key("NSIsInverted")) == true ? set.inverted : set) as NSCharacterSet
    }

    /// The predefined character sets, with the numbers of Core Foundation.
    private static var builtinSets: [Int: CharacterSet] {
        [
            1: .controlCharacters, 2: .whitespaces, 3: .whitespacesAndNewlines, 4: .decimalDigits, 5: .letters,
            6: .lowercaseLetters, 7: .uppercaseLetters, 8: .nonBaseCharacters, 9: .decomposables, 10: .alphanumerics,
            11: .punctuationCharacters, 12: .illegalCharacters, 13: .capitalizedLetters, 14: .symbols, 15: .newlines,
        ]
    }

    /// Returns the character set of a bitmap.
    ///
    /// For some bitmaps, Foundation's own character sets crash when they are asked for their bitmap.
    private static func characters(ofBitmap bytes: [UInt8]) -> CharacterSet {
        var set = CharacterSet()
        var first: UInt32?
        for index in bytes.indices where index < plane || (index - plane) % (plane + 1) != 0 {
            // Most bytes of a bitmap have no characters.
            if bytes[index] == 0, first == nil { continue }
            let part = index < plane ? 0 : 1 + (index - plane) / (plane + 1)
            let number = part == 0 ? 0 : UInt32(bytes[plane + (part - 1) * (plane + 1)])
            let offset = part == 0 ? index : (index - plane) % (plane + 1) - 1
            let start = number << 16 | UInt32(offset) << 3
            for bit: UInt32 in 0..<8 {
                let isMember = bytes[index] >> bit & 1 == 1
                if isMember, first == nil { first = start + bit }
                let isLast = offset == plane - 1 && bit == 7
                guard let begin = first, !isMember || isLast else { continue }
                let end = isMember ? start + bit + 1 : start + bit
                insert(begin..<end, into: &set)
                first = nil
            }
        }
        return set
    }

    private static func insert(_ range: Range<UInt32>, into set: inout CharacterSet) {
        if let first = Unicode.Scalar(range.lowerBound), let last = Unicode.Scalar(range.upperBound - 1),
            !range.overlaps(0xD800..<0xE000)
        {
            set.insert(charactersIn: first...last)
        } else {
            // Surrogates are not Unicode scalars.
            let range = NSRange(location: Int(range.lowerBound), length: range.count)
            set.formUnion(NSCharacterSet(range: range) as CharacterSet)
        }
    }

    private static var plane: Int { 8192 }

    /// Returns whether bytes consist of a bit for each character of a plane, followed by further planes, each with its
    /// number.
    private static func isBitmap(_ bytes: Data) -> Bool {
        guard bytes.count >= plane, (bytes.count - plane).isMultiple(of: plane + 1) else { return false }
        let numbers = stride(from: plane, to: bytes.count, by: plane + 1).map { bytes[bytes.startIndex + $0] }
        return numbers.allSatisfy { 1...16 ~= $0 } && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
}
