public import Foundation

extension ArchivedValue {
    /// The text of a string.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The value of an integer; real numbers and booleans have none.
    public var integer: Int128? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The value of a real number; integers have none.
    public var real: Double? {
        guard case .real(let value) = self else { return nil }
        return value
    }

    /// The value of a boolean.
    public var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    /// The bytes of data.
    public var data: Data? {
        guard case .data(let value) = self else { return nil }
        return value
    }

    /// The value of a date.
    public var date: Date? {
        guard case .date(let value) = self else { return nil }
        return value
    }

    /// The elements of an array.
    public var array: ArchivedArray? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The pairs of a dictionary.
    public var dictionary: ArchivedDictionary? {
        guard case .dictionary(let pairs) = self else { return nil }
        return pairs
    }

    /// The value of a locale.
    var locale: ArchivedLocale? {
        guard case .locale(let value) = self else { return nil }
        return value
    }

    /// The value of a time zone.
    var timeZone: ArchivedTimeZone? {
        guard case .timeZone(let value) = self else { return nil }
        return value
    }

    /// The value of a calendar.
    var calendar: ArchivedCalendar? {
        guard case .calendar(let value) = self else { return nil }
        return value
    }

    /// Finds a dictionary's value, or the field of an object.
    ///
    /// - Parameter key: The key, or the field's name.
    /// - Returns: The value; nil if there is none.
    public subscript(key: String) -> ArchivedValue? {
        switch self {
        case .dictionary(let pairs): pairs[.string(key)]
        case .object(let instance): instance[key]
        default: nil
        }
    }

    /// Finds an element of an array or of an ordered set.
    ///
    /// - Parameter index: From 0.
    /// - Returns: The element; nil if there is none.
    public subscript(index: Int) -> ArchivedValue? {
        switch self {
        case .array(let values), .orderedSet(let values): values.indices.contains(index) ? values[index] : nil
        default: nil
        }
    }
}

extension ArchivedValue: ExpressibleByBooleanLiteral {
    /// Makes a boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension ArchivedValue: ExpressibleByIntegerLiteral {
    /// Makes an integer.
    public init(integerLiteral value: Int) { self = .integer(Int128(value)) }
}

extension ArchivedValue: ExpressibleByFloatLiteral {
    /// Makes a real number.
    public init(floatLiteral value: Double) { self = .real(value) }
}

extension ArchivedValue: ExpressibleByStringLiteral {
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ArchivedValue: ExpressibleByArrayLiteral {
    /// Makes an array.
    public init(arrayLiteral elements: ArchivedValue...) { self = .array(ArchivedArray(elements)) }
}

extension ArchivedValue: ExpressibleByDictionaryLiteral {
    /// Makes a dictionary; of equal keys the last one counts.
    public init(dictionaryLiteral elements: (ArchivedValue, ArchivedValue)...) {
        self = .dictionary(ArchivedDictionary(elements.map { ArchivedDictionary.Pair($0, $1) }))
    }
}
