internal import Foundation
internal import Transformable

extension LawCheck {
    /// Checks that encoded forms depend on the context if and only if the transformer is contextual.
    func checkContext() {
        phase("contextual") {
            step(.contextual, "all values in several contexts", weight: 10 + laws.values.count) {
                var isBound = false
                for (index, value) in laws.values.enumerated() where comesThrough(value) {
                    let difference = try difference(of: value)
                    isBound = isBound || difference != nil
                    guard !traits.contains(.contextual), let difference else { continue }
                    let claim = "the transformer is not marked as contextual"
                    expect(false, .contextual, "\(describe(index)) \(difference), but \(claim)")
                }
                guard traits.contains(.contextual), !laws.values.isEmpty else { return }
                expect(
                    isBound,
                    .contextual,
                    "the transformer claims to be contextual, but every context gives the same result"
                )
            }
        }
    }

    /// Returns the effect of changing the context, or nil if there is none.
    private func difference(of value: Value) throws -> String? {
        let encoded = try laws.transformer.encode(value, in: Contexts.home)
        for (name, other) in Contexts.others {
            if let transformer = laws.reversible {
                let decoded = try transformer.decode(encoded, in: Contexts.home)
                guard let decodedThere = try? transformer.decode(encoded, in: other) else {
                    return "does not decode with \(name)"
                }
                if laws.areEqual(decoded, decoded), !laws.areEqual(decoded, decodedThere) {
                    return "decodes to a different value with \(name)"
                }
            }
            if traits.contains(.deterministic),
                let encodedThere = try? laws.transformer.encode(value, in: other),
                areIdentical(encoded, encodedThere) == false
            {
                return "encodes to a different form with \(name)"
            }
        }
        return nil
    }
}

/// A context, and contexts that differ from it in one property.
private enum Contexts {
    static let home = TransformContext(
        store: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        entity: 1,
        attribute: 2,
        object: 3,
        tenant: 4
    )

    static let others: [(name: String, context: TransformContext)] = [
        ("no context", .none),
        ("another store", changed { $0.store = UUID(uuid: (0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) }),
        ("another entity", changed { $0.entity = 9 }),
        ("another attribute", changed { $0.attribute = 9 }),
        ("another object", changed { $0.object = 9 }),
        ("another tenant", changed { $0.tenant = 9 }),
        ("no tenant", changed { $0.tenant = nil }),
    ]

    private static func changed(_ change: (inout TransformContext) -> Void) -> TransformContext {
        var context = home
        change(&context)
        return context
    }
}
