internal import Foundation
internal import Transformable
internal import _PropertyLists

/// A structure in an `NSValue` that consists of a few numbers, each in its own field.
protocol ArchivedStructure: ArchivedCompound {
    /// The number in `NS.special` that identifies the structure.
    static var kind: Int { get }
    /// The names of the fields.
    static var fields: [String] { get }

    /// The numbers, in the order of the fields.
    var numbers: [Double] { get }

    /// Creates a structure. There must be as many numbers as fields.
    init(numbers: [Double])
}

extension ArchivedStructure {
    init?(_ instance: ArchivedInstance) {
        guard instance.integer("NS.special") == Self.kind, instance.count == Self.fields.count + 1 else { return nil }
        self.init(checked: Self.fields.compactMap { instance[$0]?.number })
    }

    init?(plain: ArchivedValue) {
        guard let numbers = plain.realNumbers else { return nil }
        self.init(checked: numbers)
    }

    init?(checked numbers: [Double]) {
        guard numbers.count == Self.fields.count else { return nil }
        self.init(numbers: numbers)
    }

    var plain: ArchivedValue { .reals(numbers) }

    func instance() -> ArchivedInstance {
        let fields = zip(Self.fields, numbers)
            .map { (name: $0, value: ArchivedInstance.FieldValue.inline(.real($1))) }
        return ArchivedInstance(.known(.value), fields: fields + [("NS.special", .integer(Self.kind))])
    }
}

extension ArchivedValue {
    /// Creates a value from an `NSValue` that is not one of the common kinds, or returns nil if it is not known.
    ///
    /// A structure without an identifying number is stored like values without keys: the text of its C type, such as
    /// `{CGPoint=dd}`, is followed by its numbers, individually or as text.
    init?(nsValue instance: ArchivedInstance) {
        guard let encoding = instance["$0"]?.string, instance.slot("NS.special") == nil else {
            let offset = ArchivedOffset(instance).map { Self.offset($0) }
            let value = offset ?? ArchivedDirectionalEdgeInsets(instance).map { .directionalEdgeInsets($0) }
            guard let value else { return nil }
            self = value
            return
        }
        guard encoding.utf8.count <= GeometryString.longest else { return nil }
        let name = encoding.dropFirst().prefix { $0 != "=" }
        guard encoding.hasPrefix("{"), let value = Self(structure: String(name), Self.unkeyedNumbers(of: instance))
        else {
            return nil
        }
        self = value
    }

    /// Returns the numbers after the type of a value, if there is nothing else.
    private static func unkeyedNumbers(of instance: ArchivedInstance) -> [Double] {
        if let text = instance["$1"]?.string { return instance.count == 2 ? GeometryString.numbers(text) ?? [] : [] }
        let numbers = (1..<instance.count).compactMap { instance["$\($0)"]?.number }
        return numbers.count == instance.count - 1 ? numbers : []
    }

    /// Creates a C structure by its name, or returns nil if there is no such structure or the number of values is
    /// wrong.
    private init?(structure name: String, _ numbers: [Double]) {
        let value: Self?
        switch (name, numbers.count) {
        case ("CGPoint", 2), ("NSPoint", 2), ("_NSPoint", 2):
            value = .point(CGPoint(x: numbers[0], y: numbers[1]))
        case ("CGSize", 2), ("NSSize", 2), ("_NSSize", 2):
            value = .size(CGSize(width: numbers[0], height: numbers[1]))
        case ("CGRect", 4), ("NSRect", 4), ("_NSRect", 4):
            value = .rect(CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        case ("_NSRange", 2), ("NSRange", 2):
            let integers = numbers.compactMap { Int(exactly: $0) }
            value = integers.count == 2 ? .range(NSRange(location: integers[0], length: integers[1])) : nil
        case ("CGAffineTransform", 6):
            value = AffineTransform(numbers: numbers).map { .transform($0) }
        case ("UIEdgeInsets", 4), ("NSEdgeInsets", 4):
            let (top, left, bottom, right) = (numbers[0], numbers[1], numbers[2], numbers[3])
            let isUIKit = name == "UIEdgeInsets"
            value = .edgeInsets(
                ArchivedEdgeInsets(top: top, left: left, bottom: bottom, right: right, isUIKit: isUIKit)
            )
        case ("NSDirectionalEdgeInsets", _):
            value = ArchivedDirectionalEdgeInsets(checked: numbers).map { .directionalEdgeInsets($0) }
        case ("UIOffset", _):
            value = ArchivedOffset(checked: numbers).map { .offset($0) }
        default:
            value = nil
        }
        guard let value else { return nil }
        self = value
    }
}

/// A value with its own class in archives that consists of other values.
///
/// It has two forms: the object that Apple's archivers write, and a plain form of dictionaries, arrays, and scalars,
/// which is used for comparisons and for JSON with a tag. An object with additional or unknown contents is not
/// converted: it is kept as an ``ArchivedInstance``, so that nothing is lost.
protocol ArchivedCompound: Sendable {
    /// The tag of the plain form in JSON.
    static var tag: String { get }

    /// The buffer of nested values.
    var nested: ValueBuffer? { get }
    /// The value as scalars, arrays, and dictionaries.
    var plain: ArchivedValue { get }

    /// Creates a value from an object, or returns nil if its form is not known.
    init?(_ instance: ArchivedInstance)
    /// Creates a value from its plain form, or returns nil if the form is not valid.
    init?(plain: ArchivedValue)

    /// Returns the object that Apple's archivers write.
    func instance() throws(TransformerError) -> ArchivedInstance
}

extension ArchivedCompound {
    var nested: ValueBuffer? { nil }
}

extension ArchivedValue {
    /// The associated value of a case, if it is a compound.
    var compound: (any ArchivedCompound)? {
        switch self {
        case .countedSet(let value): value
        case .indexSet(let value): value
        case .indexPath(let value): value
        case .offset(let value): value
        case .directionalEdgeInsets(let value): value
        case .affineTransform(let value): value
        case .locale(let value): value
        case .timeZone(let value): value
        case .calendar(let value): value
        case .dateComponents(let value): value
        case .attributedString(let value): value
        case .error(let value): value
        case .notification(let value): value
        case .color(let value): value
        default: nil
        }
    }

    /// Creates a value from an object, or returns nil if its class or form is not known.
    init?(known instance: ArchivedInstance) {
        let value: Self? =
            switch instance.archivedClass.symbol {
            case .number: Self(number: instance)
            case .value: Self(nsValue: instance)
            case .countedSet: ArchivedCountedSet(instance).map { .countedSet($0) }
            case .indexSet, .mutableIndexSet: ArchivedIndexSet(instance).map { .indexSet($0) }
            case .indexPath: ArchivedIndexPath(instance).map { .indexPath($0) }
            case .affineTransform: ArchivedAffineTransform(instance).map { .affineTransform($0) }
            case .locale: ArchivedLocale(instance).map { .locale($0) }
            case .timeZone: ArchivedTimeZone(instance).map { .timeZone($0) }
            case .calendar: ArchivedCalendar(instance).map { .calendar($0) }
            case .dateComponents: ArchivedDateComponents(instance).map { .dateComponents($0) }
            case .attributedString, .mutableAttributedString:
                ArchivedAttributedString(instance).map { .attributedString($0) }
            case .error: ArchivedError(instance).map { .error($0) }
            case .notification: ArchivedNotification(instance).map { .notification($0) }
            case .nsColor, .uiColor: ArchivedColor(instance).map { .color($0) }
            default: nil
            }
        guard let value else { return nil }
        self = value
    }

    /// Creates a value from its plain form, or returns nil if the tag or the form is not valid.
    init?(tag: String, plain: Self) {
        let value: Self? =
            switch tag {
            case ArchivedCountedSet.tag: ArchivedCountedSet(plain: plain).map { .countedSet($0) }
            case ArchivedIndexSet.tag: ArchivedIndexSet(plain: plain).map { .indexSet($0) }
            case ArchivedIndexPath.tag: ArchivedIndexPath(plain: plain).map { .indexPath($0) }
            case ArchivedOffset.tag: ArchivedOffset(plain: plain).map { .offset($0) }
            case ArchivedDirectionalEdgeInsets.tag:
                ArchivedDirectionalEdgeInsets(plain: plain).map { .directionalEdgeInsets($0) }
            case ArchivedAffineTransform.tag: ArchivedAffineTransform(plain: plain).map { .affineTransform($0) }
            case ArchivedLocale.tag: ArchivedLocale(plain: plain).map { .locale($0) }
            case ArchivedTimeZone.tag: ArchivedTimeZone(plain: plain).map { .timeZone($0) }
            case ArchivedCalendar.tag: ArchivedCalendar(plain: plain).map { .calendar($0) }
            case ArchivedDateComponents.tag: ArchivedDateComponents(plain: plain).map { .dateComponents($0) }
            case ArchivedAttributedString.tag: ArchivedAttributedString(plain: plain).map { .attributedString($0) }
            case ArchivedError.tag: ArchivedError(plain: plain).map { .error($0) }
            case ArchivedNotification.tag: ArchivedNotification(plain: plain).map { .notification($0) }
            case ArchivedColor.tag: ArchivedColor(plain: plain).map { .color($0) }
            default: nil
            }
        guard let value else { return nil }
        self = value
    }

    /// Creates a number from an object of class `NSNumber`, as in interface files.
    private init?(number instance: ArchivedInstance) {
        guard instance.count == 1 else { return nil }
        if let value = instance.integer("NS.intval") {
            self = .integer(Int128(value))
        } else if let value = instance["NS.dblval"]?.real {
            self = .real(value)
        } else if let value = instance["NS.boolval"]?.boolean {
            self = .boolean(value)
        } else {
            return nil
        }
    }

    /// The value of an integer that fits in an `Int`.
    var int: Int? { integer.flatMap { Int(exactly: $0) } }

    /// The value of an integer or a real number.
    var number: Double? { real ?? integer.map { Double($0) } }

    /// Returns an array of real numbers.
    static func reals(_ numbers: [Double]) -> Self {
        .array(ArchivedArray(numbers.map { .real($0) }))
    }

    /// The elements of an array that contains only numbers.
    var realNumbers: [Double]? {
        guard let array, case let numbers = array.compactMap(\.number), numbers.count == array.count else { return nil }
        return numbers
    }
}
