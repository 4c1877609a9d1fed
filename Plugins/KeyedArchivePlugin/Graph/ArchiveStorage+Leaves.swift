package import Foundation
package import Transformable
internal import _PropertyLists

/// Reads value classes that do not contain other values. `index` must not be that of a reference.
extension ArchiveStorage {
    /// Returns the node that a reference refers to, or the node itself, or nil for `$null`.
    package func resolve(_ index: Int) -> Int? {
        let node = table.nodes[index]
        guard node.kind == .uid else { return index }
        let number = node.start
        return isNull(number) ? nil : self.node(ofObject: number)
    }

    /// Returns the node of a field, following a reference, or nil if the field is absent or `$null`.
    private func field(_ symbol: ArchiveSymbol, of node: PropertyListNode) -> Int? {
        table.value(symbol, in: node).flatMap(resolve)
    }

    private func broken(_ name: String, _ index: Int) -> TransformerError {
        .invalidData("an object of class \(name) is malformed", offset: table.offset(of: index))
    }

    /// Returns a string, which is plain or an object of class `NSString` or `NSMutableString`.
    package func string(_ index: Int) throws(TransformerError) -> String {
        var index = index
        if table.nodes[index].kind == .dictionary {
            let node = table.nodes[index]
            guard let content = field(.stringField, of: node) ?? field(.bytesField, of: node) else {
                throw broken("NSString", index)
            }
            index = content
        }
        return try text(index) { node throws(TransformerError) in
            if node.kind == .data { return try TextTransformer().decode(table.data(node), in: .none) }
            guard node.isString else { throw broken("NSString", index) }
            guard let text = table.text(node) else {
                throw .invalidData("a string contains an unpaired surrogate", offset: table.offset(of: index))
            }
            return text
        }
    }

    /// Returns data, which is plain or an object of class `NSData` or `NSMutableData`.
    package func data(_ index: Int) throws(TransformerError) -> Data {
        bytes(try dataContent(index))
    }

    /// Returns the node of the bytes of data.
    package func dataContent(_ index: Int) throws(TransformerError) -> Int {
        let node = table.nodes[index]
        if node.kind == .data { return index }
        guard node.kind == .dictionary, let content = field(.dataField, of: node) ?? field(.bytesField, of: node),
            table.nodes[content].kind == .data
        else { throw broken("NSData", index) }
        return content
    }

    package func date(_ index: Int) throws(TransformerError) -> Date {
        let node = table.nodes[index]
        if node.kind == .date { return Date(timeIntervalSinceReferenceDate: node.double) }
        guard let time = field(.timeField, of: node), let seconds = table.double(table.nodes[time]) else {
            throw broken("NSDate", index)
        }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    package func uuid(_ index: Int) throws(TransformerError) -> UUID {
        guard let content = field(.uuidField, of: table.nodes[index]), case let node = table.nodes[content],
            node.kind == .data, node.count == 16
        else { throw broken("NSUUID", index) }
        let bytes = table.bytes[node.start..<node.start + 16]
        return UUID(archived: bytes)
    }

    package func url(_ index: Int) throws(TransformerError) -> ArchivedURL {
        var strings: [String] = []
        var next: Int? = index
        while let current = next {
            guard strings.count <= ArchivedURL.mostBases else {
                throw ArchivedURL.tooManyBases(offset: table.offset(of: index))
            }
            let node = table.nodes[current]
            guard node.kind == .dictionary, let relative = field(.relativeField, of: node) else {
                throw broken("NSURL", current)
            }
            strings.append(try string(relative))
            next = field(.baseField, of: node)
        }
        return ArchivedURL(strings[0], bases: Array(strings.dropFirst()))
    }

    /// Returns whether a URL and its bases have no other fields than those that ``url(_:)`` reads.
    func isPlainURL(_ index: Int) -> Bool {
        var next: Int? = index
        for _ in 0...ArchivedURL.mostBases {
            guard let current = next else { return true }
            let node = table.nodes[current]
            guard classSymbol(of: node) == .url, node.count <= 3, table.keys(of: node).allSatisfy(isFieldOfURL) else {
                return false
            }
            next = field(.baseField, of: node)
        }
        return true
    }

    private func isFieldOfURL(_ key: UInt32) -> Bool {
        switch table.nodes[Int(key)].symbol {
        case .isa, .baseField, .relativeField: true
        default: false
        }
    }

    /// Returns the decimal of an `NSDecimalNumber`, which consists of a mantissa of up to eight 16-bit words, an
    /// exponent, and a sign.
    package func decimal(_ index: Int) throws(TransformerError) -> Decimal {
        let node = table.nodes[index]
        guard node.kind == .dictionary, let mantissa = field(.mantissaField, of: node),
            table.nodes[mantissa].kind == .data, table.nodes[mantissa].count == 16,
            let exponent = integer(.exponentField, of: node).flatMap(Int8.init(exactly:)),
            let length = integer(.mantissaLengthField, of: node), 0...8 ~= length,
            let isNegative = field(.negativeField, of: node).map({ table.nodes[$0].payload & 1 == 1 })
        else { throw broken("NSDecimalNumber", index) }
        let isBigEndian = integer(.mantissaOrderField, of: node) == 2
        let bytes = Array(table.data(table.nodes[mantissa]))
        let words = (0..<8)
            .map { word in
                let pair = (UInt16(bytes[2 * word]), UInt16(bytes[2 * word + 1]))
                return isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
            }
        guard
            let decimal = Decimal(archivedExponent: exponent, length: Int(length), isNegative: isNegative, words: words)
        else { throw broken("NSDecimalNumber", index) }
        return decimal
    }

    private func integer(_ symbol: ArchiveSymbol, of node: PropertyListNode) -> Int128? {
        field(symbol, of: node).flatMap { table.integer(table.nodes[$0]) }
    }

    /// Returns the geometric value of an `NSValue`, or nil if its kind is unknown.
    package func geometry(_ index: Int) throws(TransformerError) -> ArchivedValue? {
        let node = table.nodes[index]
        func numbers(_ symbol: ArchiveSymbol, _ count: Int) throws(TransformerError) -> [Double] {
            guard let content = field(symbol, of: node),
                let numbers = try GeometryString.numbers(string(content)), numbers.count == count
            else { throw broken("NSValue", index) }
            return numbers
        }
        func double(_ symbol: ArchiveSymbol) throws(TransformerError) -> Double {
            guard let number = field(symbol, of: node).flatMap({ table.double(table.nodes[$0]) }) else {
                throw broken("NSValue", index)
            }
            return number
        }
        switch integer(.specialField, of: node) {
        case 1:
            let point = try numbers(.pointField, 2)
            return .point(CGPoint(x: point[0], y: point[1]))
        case 2:
            let size = try numbers(.sizeField, 2)
            return .size(CGSize(width: size[0], height: size[1]))
        case 3:
            let rect = try numbers(.rectField, 4)
            return .rect(CGRect(x: rect[0], y: rect[1], width: rect[2], height: rect[3]))
        case 4:
            guard let location = integer(.locationField, of: node).flatMap(Int.init(exactly:)),
                let length = integer(.lengthField, of: node).flatMap(Int.init(exactly:))
            else { return nil }
            return .range(NSRange(location: location, length: length))
        case 10:
            var numbers: [Double] = []
            for field in ArchiveSymbol.transformFields {
                numbers.append(try double(field))
            }
            return AffineTransform(numbers: numbers).map { .transform($0) }
        case .some(let kind) where kind == 11 || kind == 12:
            let insets = ArchivedEdgeInsets(
                top: try double(.topField),
                left: try double(.leftField),
                bottom: try double(.bottomField),
                right: try double(.rightField),
                isUIKit: kind == 11
            )
            return .edgeInsets(insets)
        default:
            return nil
        }
    }
}

extension UUID {
    /// Creates a UUID from 16 bytes.
    init(archived bytes: ArraySlice<UInt8>) {
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes.prefix(16)) }
        self.init(uuid: uuid)
    }

    /// The 16 bytes of the UUID.
    package var archivedBytes: [UInt8] {
        withUnsafeBytes(of: uuid) { Array($0) }
    }
}

extension Decimal {
    /// Creates a decimal from its archived parts.
    ///
    /// A negative mantissa without words is not a number.
    init?(archivedExponent exponent: Int8, length: Int, isNegative: Bool, words: [UInt16]) {
        guard length > 0 || !isNegative else {
            self = .nan
            return
        }
        let mantissa = words.prefix(length).reversed().reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
        guard let significand = Decimal(string: String(mantissa)) else { return nil }
        self.init(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand)
    }

    /// The exponent and the mantissa, which is not divisible by ten, so that equal decimals have equal parts.
    var archivedParts: (exponent: Int8, words: [UInt16])? {
        guard !isNaN, var mantissa = UInt128(significand.description), mantissa != 0 else {
            return (0, Array(repeating: 0, count: 8))
        }
        var exponent = exponent
        while exponent < Int8.max, mantissa.isMultiple(of: 10) {
            mantissa /= 10
            exponent += 1
        }
        guard let exponent = Int8(exactly: exponent) else { return nil }
        return (exponent, (0..<8).map { UInt16(truncatingIfNeeded: mantissa >> (16 * $0)) })
    }
}
