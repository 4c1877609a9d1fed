internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

extension FoundationClass {
    /// Objects with a few named parts.
    static var records: [Self] {
        [
            Self(
                NSError.self,
                "NSError",
                encode: { error, archiver in
                    try archiver.put(error.domain, in: .key("NSDomain"))
                    try archiver.put(error.code, in: .key("NSCode"))
                    try archiver.put(error.userInfo.isEmpty ? nil : error.userInfo, in: .key("NSUserInfo"))
                },
                decode: { unarchiver in
                    guard let domain = try unarchiver.text(.key("NSDomain")) else {
                        throw unarchiver.broken(NSError.self)
                    }
                    let code: Int = try unarchiver.integer(.key("NSCode")) ?? 0
                    return NSError(
                        domain: domain,
                        code: code,
                        userInfo: try unarchiver.table(.key("NSUserInfo")) { $0 }
                    )
                }
            ),
            Self(NSNotification.self, "NSNotification") { unarchiver in
                guard let name = try unarchiver.text(.key("NS.name")) else {
                    throw unarchiver.broken(NSNotification.self)
                }
                return NSNotification(
                    name: Notification.Name(name),
                    object: try unarchiver.object(.key("NS.object"), allowed: unarchiver.frame().allowed.withValues),
                    userInfo: try unarchiver.table(.key("NS.userinfo")) { AnyHashable($0) }
                )
            },
            Self(NSURLQueryItem.self, "NSURLQueryItem") { unarchiver in
                guard let name = try unarchiver.text(.key("NS.name")) else {
                    throw unarchiver.broken(NSURLQueryItem.self)
                }
                return NSURLQueryItem(name: name, value: try unarchiver.text(.key("NS.value")))
            },
            Self(NSRegularExpression.self, "NSRegularExpression") { unarchiver in
                guard let pattern = try unarchiver.text(.key("NSPattern")) else {
                    throw unarchiver.broken(NSRegularExpression.self)
                }
                let options: UInt = try unarchiver.integer(.key("NSOptions")) ?? 0
                return try NSRegularExpression(pattern: pattern, options: .init(rawValue: options & 0x7F))
            },
        ]
    }
}

extension ObjectUnarchiver {
    /// Identifies a dictionary and the type of the keys of its converted form.
    struct TableID: Hashable {
        let dictionary: ObjectIdentifier
        let key: ObjectIdentifier
    }

    /// Decodes a dictionary with text keys, if it exists.
    ///
    /// A dictionary is converted only once, because many objects can refer to it.
    fileprivate func table<Key: Hashable>(_ slot: Slot, _ convert: (String) -> Key) throws -> [Key: Any]? {
        let allowed = try frame().allowed.withValues
        guard let object = try object(slot, allowed: allowed) else { return nil }
        let id = TableID(dictionary: ObjectIdentifier(object), key: ObjectIdentifier(Key.self))
        if let known = tables[id] as? [Key: Any] { return known }
        guard let table = object as? NSDictionary, table.allKeys.allSatisfy({ $0 is String }) else {
            throw TransformerError.unreadable(try path(slot), "it is not a dictionary with text keys")
        }
        var result: [Key: Any] = [:]
        for (key, value) in table {
            if let key = key as? String { result[convert(key)] = value }
        }
        tables[id] = result
        return result
    }
}

extension FoundationClass {
    /// Index sets and index paths.
    static var indexes: [Self] {
        [
            Self(NSIndexSet.self, "NSIndexSet") { NSIndexSet(indexSet: try $0.indexSet()) },
            Self(NSMutableIndexSet.self, "NSMutableIndexSet", "NSIndexSet") {
                NSMutableIndexSet(indexSet: try $0.indexSet())
            },
            Self(NSIndexPath.self, "NSIndexPath") { unarchiver in
                let indexes = try unarchiver.indexPath()
                return NSIndexPath(indexes: indexes, length: indexes.count)
            },
        ]
    }
}

extension ObjectUnarchiver {
    /// Decodes an index set.
    ///
    /// Its ranges are in ascending order and do not touch, so that adding them takes linear time.
    fileprivate func indexSet() throws -> IndexSet {
        var set = IndexSet()
        var end = 0
        let count: Int = try integer(.key("NSRangeCount")) ?? 0
        var numbers: [Int] = []
        if count == 1, let location: Int = try integer(.key("NSLocation")) {
            numbers = [location, try integer(.key("NSLength")) ?? 1]
        } else if let data = try bytes(.key("NSRangeData")) {
            numbers = try packedIntegers(data)
        }
        guard count >= 0, numbers.count / 2 == count, numbers.count.isMultiple(of: 2) else {
            throw broken(NSIndexSet.self)
        }
        for position in stride(from: 0, to: numbers.count, by: 2) {
            let (location, length) = (numbers[position], numbers[position + 1])
            let (next, isTooFar) = location.addingReportingOverflow(length)
            guard location >= end, length > 0, !isTooFar, next < Int.max else { throw broken(NSIndexSet.self) }
            set.insert(integersIn: location..<next)
            end = next
        }
        return set
    }

    fileprivate func indexPath() throws -> [Int] {
        let count: Int = try integer(.key("NSIndexPathLength")) ?? 0
        if count == 1, let index: Int = try integer(.key("NSIndexPathValue")) { return [index] }
        let indexes = try bytes(.key("NSIndexPathData")).map { try packedIntegers($0) } ?? []
        guard indexes.count == count else { throw broken(NSIndexPath.self) }
        return indexes
    }

    /// Decodes integers of seven bits per byte, least significant bits first.
    ///
    /// The high bit indicates that more bytes follow.
    func packedIntegers(_ data: Data) throws -> [Int] {
        // Many objects can refer to the same bytes.
        packedCount += data.count
        guard packedCount <= budget else { throw TransformerError.tooMuchSharing(budget) }
        var numbers: [Int] = []
        var number: UInt64 = 0
        var shift = 0
        for byte in data {
            guard shift < 63 else { throw TransformerError.unreadable(try frame().path, "a number is too long") }
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            numbers.append(Int(number))
            number = 0
            shift = 0
        }
        guard shift == 0 else { throw TransformerError.unreadable(try frame().path, "a number is truncated") }
        return numbers
    }
}

extension FoundationClass {
    /// Measurements, units, and unit converters.
    static var units: [Self] {
        [
            Self(NSMeasurement.self, "NSMeasurement") { unarchiver in
                guard let unit = try unarchiver.object(Unit.self, "NS.unit"),
                    let value = try unarchiver.double(.key("NS.value"))
                else { throw unarchiver.broken(NSMeasurement.self) }
                return NSMeasurement(doubleValue: value, unit: unit)
            },
            Self(Unit.self, "NSUnit") { Unit(symbol: try $0.symbol()) },
            Self(UnitConverterLinear.self, "NSUnitConverterLinear", "NSUnitConverter") { unarchiver in
                guard let coefficient = try unarchiver.double(.key("NS.coefficient")) else {
                    throw unarchiver.broken(UnitConverterLinear.self)
                }
                return UnitConverterLinear(
                    coefficient: coefficient,
                    constant: try unarchiver.double(.key("NS.constant")) ?? 0
                )
            },
            reciprocal,
        ] + dimensions.map(dimension)
    }

    private static let dimensions: [Dimension.Type] = [
        UnitAcceleration.self, UnitAngle.self, UnitArea.self, UnitConcentrationMass.self, UnitDispersion.self,
        UnitDuration.self, UnitElectricCharge.self, UnitElectricCurrent.self, UnitElectricPotentialDifference.self,
        UnitElectricResistance.self, UnitEnergy.self, UnitFrequency.self, UnitFuelEfficiency.self, UnitIlluminance.self,
        UnitInformationStorage.self, UnitLength.self, UnitMass.self, UnitPower.self, UnitPressure.self, UnitSpeed.self,
        UnitTemperature.self, UnitVolume.self,
    ]

    private static func dimension(_ type: Dimension.Type) -> Self {
        let chain = ["NS\(type)", "NSDimension", "NSUnit", "NSObject"]
        // Foundation on Linux uses a different name than Apple's for one of them.
        let fallbacks = type == UnitConcentrationMass.self ? ["\(type)"] : []
        return Self(
            type: type,
            archivedClass: ArchivedClass(chain[0], chain: chain, fallbacks: fallbacks),
            encode: { ($0 as? Dimension)?.encode(with: $1) },
            decode: { unarchiver in
                guard let converter = try unarchiver.object(UnitConverter.self, "NS.converter") else {
                    throw unarchiver.broken(type)
                }
                return type.init(symbol: try unarchiver.symbol(), converter: converter)
            }
        )
    }

    /// The converter for fuel efficiency, which is private in Foundation.
    ///
    /// It reads a single number and cannot trap.
    private static var reciprocal: Self {
        let type = Swift.type(of: UnitFuelEfficiency.milesPerGallon.converter)
        let names = ["NSUnitConverterReciprocal", "NSUnitConverter", "NSObject"]
        return Self(
            type: type,
            archivedClass: ArchivedClass(names[0], chain: names),
            encode: { ($0 as? any NSCoding)?.encode(with: $1) },
            decode: { unarchiver in
                guard try unarchiver.double(.key("NS.reciprocal")) != nil,
                    let converter = (type as? any NSCoding.Type)?.init(coder: unarchiver) as? NSObject
                else { throw unarchiver.broken(type) }
                return converter
            }
        )
    }
}

extension ObjectUnarchiver {
    fileprivate func symbol() throws -> String {
        guard let symbol = try text(.key("NS.symbol")) else { throw broken(Unit.self) }
        return symbol
    }
}
