public import Foundation

extension ArchivedValue {
    /// The text of a string.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The value of an integer, or nil for a real number or a Boolean.
    public var integer: Int128? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The value of a real number, or nil for an integer.
    public var real: Double? {
        guard case .real(let value) = self else { return nil }
        return value
    }

    /// The value of a Boolean.
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

    /// Returns the value of a dictionary's key or of an object's field.
    ///
    /// - Parameter key: The key, or the name of the field.
    /// - Returns: The value, or nil if there is none.
    public subscript(key: String) -> ArchivedValue? {
        switch self {
        case .dictionary(let pairs): pairs[.string(key)]
        case .object(let instance): instance[key]
        default: nil
        }
    }

    /// Returns an element of an array or an ordered set.
    ///
    /// - Parameter index: The index of the element.
    /// - Returns: The element, or nil if there is none.
    public subscript(index: Int) -> ArchivedValue? {
        switch self {
        case .array(let values), .orderedSet(let values): values.indices.contains(index) ? values[index] : nil
        default: nil
        }
    }
}

extension ArchivedValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension ArchivedValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(Int128(value)) }
}

extension ArchivedValue: ExpressibleByFloatLiteral {
    /// Creates a real number.
    public init(floatLiteral value: Double) { self = .real(value) }
}

extension ArchivedValue: ExpressibleByStringLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ArchivedValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: ArchivedValue...) { self = .array(ArchivedArray(elements)) }
}

extension ArchivedValue: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary.
    ///
    /// If keys are equal, the last one is used.
    public init(dictionaryLiteral elements: (ArchivedValue, ArchivedValue)...) {
        self = .dictionary(ArchivedDictionary(elements.map { ArchivedDictionary.Pair($0, $1) }))
    }
}
