public import Foundation
public import Transformable

/// A value in a keyed archive, which corresponds to one of Apple's value classes.
///
/// This is the value type of `keyed-archive` if no Swift type is specified. Like archives, it distinguishes Booleans,
/// integers, and real numbers, which are never equal to one another. Strings are equal if their bytes are equal, and
/// real numbers if their bits are equal. Therefore, equal values have equal archives.
///
/// ```swift
/// let settings: ArchivedValue = ["name": "Ada", "sizes": [1, 2.5], "isOpen": true]
/// let name = settings["name"]?.string
/// ```
public enum ArchivedValue: Sendable {
    /// `NSNull`, or the null object at the beginning of an archive.
    case null
    /// An `NSNumber` that contains a Boolean.
    case boolean(Bool)
    /// An `NSNumber` that contains an integer.
    case integer(Int128)
    /// An `NSNumber` that contains a floating-point number.
    case real(Double)
    /// An `NSString`.
    case string(String)
    /// An `NSData`.
    case data(Data)
    /// An `NSDate`.
    case date(Date)
    /// An `NSUUID`.
    case uuid(UUID)
    /// An `NSURL`, including its base.
    indirect case url(ArchivedURL)
    /// An `NSDecimalNumber`.
    indirect case decimal(Decimal)
    /// An `NSArray`.
    case array(ArchivedArray)
    /// An `NSDictionary`, with keys of any kind.
    case dictionary(ArchivedDictionary)
    /// An `NSSet`.
    case set(ArchivedSet)
    /// An `NSCountedSet`.
    indirect case countedSet(ArchivedCountedSet)
    /// An `NSOrderedSet`.
    case orderedSet(ArchivedArray)
    /// An `NSValue` that contains a point.
    case point(CGPoint)
    /// An `NSValue` that contains a size.
    case size(CGSize)
    /// An `NSValue` that contains a rectangle.
    indirect case rect(CGRect)
    /// An `NSValue` that contains a range.
    case range(NSRange)
    /// An `NSValue` that contains edge insets.
    indirect case edgeInsets(ArchivedEdgeInsets)
    /// An `NSValue` that contains a `CGAffineTransform`.
    indirect case transform(AffineTransform)
    /// An `NSValue` that contains a `UIOffset`.
    case offset(ArchivedOffset)
    /// An `NSValue` that contains `NSDirectionalEdgeInsets`.
    indirect case directionalEdgeInsets(ArchivedDirectionalEdgeInsets)
    /// An `NSAffineTransform`, which has 32-bit numbers.
    indirect case affineTransform(ArchivedAffineTransform)
    /// An `NSIndexSet`.
    case indexSet(ArchivedIndexSet)
    /// An `NSIndexPath`.
    case indexPath(ArchivedIndexPath)
    /// An `NSLocale`.
    case locale(ArchivedLocale)
    /// An `NSTimeZone`.
    indirect case timeZone(ArchivedTimeZone)
    /// An `NSCalendar`.
    indirect case calendar(ArchivedCalendar)
    /// An `NSDateComponents`, including its calendar and time zone.
    indirect case dateComponents(ArchivedDateComponents)
    /// An `NSAttributedString`.
    indirect case attributedString(ArchivedAttributedString)
    /// An `NSError`.
    indirect case error(ArchivedError)
    /// An `NSNotification`.
    indirect case notification(ArchivedNotification)
    /// An `NSColor` or a `UIColor`.
    indirect case color(ArchivedColor)
    /// An object of any other class, or of a known class in an unknown form, with its fields.
    indirect case object(ArchivedInstance)
}

extension ArchivedValue {
    /// Verifies that the value contains no objects of classes other than the given ones.
    ///
    /// - Parameter names: The names of classes, in addition to the value classes.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.unexpectedClass`, which names the class and
    ///   the location, if it does.
    func checkClasses(_ names: [String]) throws(TransformerError) {
        /// The path of each part. It is stored here, because a linked path would be freed recursively, and values can
        /// be nested deeply.
        var steps: [(name: String, parent: Int)] = []
        var waiting: [(value: ArchivedValue, step: Int)] = [(self, -1)]
        while let (value, step) = waiting.popLast() {
            if case .object(let instance) = value {
                let (name, fallbacks) = (instance.archivedClass.name, instance.archivedClass.fallbacks)
                guard names.contains(where: { ([name] + fallbacks).contains(where: $0.isIdentical) }) else {
                    let path = sequence(first: step) { steps[$0].parent }.prefix { $0 >= 0 }.map { steps[$0].name }
                    let place = path.isEmpty ? "root" : path.reversed().joined(separator: ".")
                    let allowed = (names + ["the value classes"]).joined(separator: ", ")
                    throw .unexpectedClass(name, at: place, allowed: allowed)
                }
            }
            for (key, part) in value.parts.reversed() {
                steps.append((key, step))
                waiting.append((part, steps.count - 1))
            }
        }
    }
}

extension ArchivedValue: PartedValue {
    /// Whether the value is a collection, or an object with fields.
    public var hasParts: Bool {
        switch self {
        case .array, .orderedSet, .set, .dictionary, .object: true
        default: false
        }
    }

    /// Returns a member by its key, a field by its name, or an element by its index.
    ///
    /// A dictionary's key that is not a string is named by its JSON if that is short. An integer is named by its digits.
    public func part(named name: String) -> Self? {
        switch self {
        case .array(let values), .orderedSet(let values): Self.element(named: name, of: values)
        case .set(let values): Self.element(named: name, of: Array(values))
        case .dictionary(let pairs): pairs[.string(name)] ?? parts.first { $0.name.isIdentical(to: name) }?.value
        default: parts.first { $0.name.isIdentical(to: name) }?.value
        }
    }

    /// The UTF-8 bytes of a string, or the bytes of data.
    public var rawBytes: Data? {
        switch self {
        case .string(let text): Data(text.utf8)
        case .data(let bytes): bytes
        default: nil
        }
    }

    /// The nested values, and the names of the parts.
    private var parts: [(name: String, value: ArchivedValue)] {
        switch self {
        case .array(let values), .orderedSet(let values): Self.numbered(values)
        case .set(let values): Self.numbered(values)
        case .dictionary(let pairs): pairs.map { ($0.key.partName, $0.value) }
        case .object(let instance): instance.fields.map { ($0.name, Self.value(of: $0.value)) }
        default: Self.numbered(nested?.values ?? [])
        }
    }

    private static func numbered(_ values: some Sequence<ArchivedValue>) -> [(name: String, value: ArchivedValue)] {
        values.enumerated().map { (String($0), $1) }
    }

    /// Returns the value of a field.
    ///
    /// A list becomes an array.
    private static func value(of field: ArchivedInstance.FieldValue) -> ArchivedValue {
        switch field {
        case .object(let value): value ?? .null
        case .inline(let value): value
        case .objects(let values): .array(ArchivedArray(values.map { $0 ?? .null }))
        }
    }

    private var partName: String {
        if case .string(let text) = self { return text }
        // Many dictionaries can share a key that takes long to print.
        guard let tokens = ArchivedValueToJSON.tokens(of: self, limit: 1 << 14) else { return "…" }
        return JSONPrinter.print(tokens)
    }
}
