import Foundation
import Transformable
public import TransformableEntities
internal import TransformableSQLite
public import TransformableStore

enum Severity: String, Codable, Sendable {
    case low
    case high
}

struct Settings: Codable, Equatable, Sendable {
    var beds = 0
    var notes: [String] = []
}

/// A value that only a transformer can store.
struct Box: Equatable, Sendable {
    var width: Int
    var height: Int
}

extension TypedExpression where Value == Box {
    static var box: Self { Self("box") }
}

/// A class with every kind of attribute and relationship.
@Entity(unique: [["name", "admitted"]])
final class Patient {
    var name: String
    @Attribute(.indexed) var admitted: Date
    @Attribute(transformer: "reversed", .projected("lowercase", as: "ssn_index")) var ssn: String?
    var severity: Severity
    var mood: Severity? = .low
    var settings: Settings?
    var tags: [String] = []
    @Attribute(.range(0...9)) var count = 0
    var score: Double = 1
    var token: UUID = UUID()
    @Attribute(transformer: .box) var bed: Box
    @Attribute(transformer: .box) var spare: Box?
    @Attribute(transformer: .box) var floor: Box = Box(width: 9, height: 9)
    var `default` = "x"
    @Transient var isSelected = false
    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit]
    @Relationship var ward: Ward?

    init(name: String, admitted: Date = Date(timeIntervalSinceReferenceDate: 0), severity: Severity = .low) {
        self.count = 3
        self.name = name
        self.admitted = admitted
        self.severity = severity
        bed = Box(width: 2, height: 1)
    }

    var initials: String { String(name.prefix(1)) }
}

@Entity
final class Visit {
    var reason = "checkup"
    @Relationship var patient: Patient?

    init(reason: String = "checkup", patient: Patient? = nil) {
        self.reason = reason
        self.patient = patient
    }
}

/// The macro preserves the access level of the class.
@Entity("Station", renamedFrom: "Wing")
public final class Ward {
    /// What it is called.
    public var title = ""
    /// How many there are.
    public private(set) var beds: Int = 4
}

@available(*, unavailable)
extension Ward: Sendable {}

/// Two numbers joined by `x`.
struct BoxTransformer: Transformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: Box, in context: TransformContext) throws -> String {
        guard value.width >= 0 else { throw TransformerError.invalidData("the box has a negative width") }
        return "\(value.width)x\(value.height)"
    }

    func decode(_ encoded: String, in context: TransformContext) throws -> Box {
        let numbers = encoded.split(separator: "x").compactMap { Int($0) }
        guard numbers.count == 2 else { throw TransformerError.invalidData("a box is two numbers joined by “x”") }
        return Box(width: numbers[0], height: numbers[1])
    }
}

/// Text that is preceded by the number of its object.
struct BoundTransformer: Transformer {
    var traits: TransformerTraits { [.plain, .contextual] }

    func encode(_ value: String, in context: TransformContext) throws -> String {
        "\(context.attribute ?? 0).\(context.object ?? 0) \(value)"
    }

    func decode(_ encoded: String, in context: TransformContext) throws -> String {
        let place = "\(context.attribute ?? 0).\(context.object ?? 0) "
        guard encoded.hasPrefix(place) else { throw TransformerError.invalidData("the text is another object's") }
        return String(encoded.dropFirst(place.count))
    }
}

/// JSON, as in the standard plugin, which these tests do not depend on.
struct CodableTransformer<Value: Codable>: Transformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: Value, in context: TransformContext) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Value {
        try JSONDecoder().decode(Value.self, from: encoded)
    }
}

enum Fixtures {
    static func registry() throws -> TransformerRegistry {
        try TransformerRegistry {
            Registration("box", BoxTransformer())
            Registration("bound", BoundTransformer())
            Registration(
                "reversed",
                FunctionTransformer(
                    encode: { (data: Data) in Data(data.reversed()) },
                    decode: { (data: Data) in Data(data.reversed()) }
                )
            )
            Registration("lowercase", OneWayFunctionTransformer(encode: { (text: String) in text.lowercased() }))
            Registration.family("json", default: [String].self, summary: "JSON") { request in
                guard let type = request.valueType as? any Codable.Type else {
                    throw TransformerError(.unsupported, "not Codable")
                }
                func make<Value: Codable>(_ type: Value.Type) -> any OneWayTransformer {
                    CodableTransformer<Value>()
                }
                return make(type)
            }
        }
    }

    static func store(_ options: Store.Options = Store.Options()) throws -> Store {
        try Store.inMemory(
            for: Patient.self,
            Visit.self,
            Ward.self,
            transformers: registry(),
            options: options
        )
    }
}
