internal import Foundation
internal import _PropertyLists

/// `UIColor`, whose components are stored as numbers of 32 and of 64 bits, and rounded as ASCII text.
extension ArchivedColor {
    private static let nameField = "UISystemColorName"
    private static let countField = "UIColorComponentCount"
    private static let preciseSuffix = "-Double"

    init?(uiColor instance: ArchivedInstance) {
        let space: Space = instance.slot("UIWhite") != nil ? .extendedWhite : .extendedRGB
        let names = space.fields + ["UIAlpha"]
        guard
            instance.hasOnly(
                Set(names + names.map { $0 + Self.preciseSuffix })
                    .union([Self.nameField, Self.countField, "NSColorSpace", space.textField])
            ),
            instance.isNone(space.textField) || instance[space.textField]?.data != nil,
            [nil, space.number].contains(instance.integer("NSColorSpace")),
            let name = instance.optional(Self.nameField, \.string)
        else { return nil }
        let numbers = names.compactMap { instance[$0 + Self.preciseSuffix]?.number ?? instance[$0]?.number }
        guard numbers.count == names.count, [nil, numbers.count].contains(instance.integer(Self.countField)) else {
            return nil
        }
        self.init(space, numbers.dropLast(), alpha: numbers[numbers.count - 1])
        self.name = name
    }

    var uiColor: ArchivedInstance {
        let numbers = components + [alpha]
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [
            (Self.countField, .integer(numbers.count)), ("NSColorSpace", .integer(space.number)),
            (space.textField, .inline(.data(Self.rounded(alpha == 1 ? components : numbers)))),
        ]
        for (name, number) in zip(space.fields + ["UIAlpha"], numbers) {
            fields.append((name, .inline(.real(Double(Float(number))))))
            fields.append((name + Self.preciseSuffix, .inline(.real(number))))
        }
        if let name { fields.append((Self.nameField, .object(.string(name)))) }
        return ArchivedInstance(.known(.uiColor), fields: fields)
    }

    /// Formats numbers with C's `%.3g`.
    private static func rounded(_ numbers: [Double]) -> Data {
        Data(numbers.map { String(format: "%.3g", $0) }.joined(separator: " ").utf8)
    }
}
