internal import Foundation
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
