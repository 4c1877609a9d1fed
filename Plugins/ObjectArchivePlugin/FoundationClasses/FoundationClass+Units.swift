internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

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
