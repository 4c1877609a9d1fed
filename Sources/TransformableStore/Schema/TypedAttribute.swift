internal import Foundation
internal import Transformable

/// An attribute with a known type of values.
///
/// This is the only place where slots are read and written.
///
/// `@unchecked` for the same reason as in the superclass: every member is a constant of a `Sendable` type, or the type
/// of its slots, which never changes.
final class TypedAttribute<Value>: StoredAttribute, @unchecked Sendable {
    // Nil for a transient attribute, and for one that cannot be read in this program.
    private let coder: (any ValueCoder<Value>)?
    // Stored because the runtime looks up a generic class each time it is named.
    private let slotType = ValueSlot<Value>.self
    private let storedProjections: [StoredProjection]
    private let projectors: [Projector<Value>?]

    init(
        _ blueprint: AttributeBlueprint,
        coder: (any ValueCoder<Value>)?,
        projections: [(StoredProjection, Projector<Value>?)] = []
    ) {
        self.coder = coder
        storedProjections = projections.map(\.0)
        projectors = projections.map(\.1)
        super.init(blueprint)
    }

    override var valueType: any Any.Type { Value.self }

    // Compressed values and pictures may be much larger than their bytes.
    override var isDecodedAhead: Bool { isPlain && transformer?.traits.contains(.compressing) == false }

    override var isEncodedAhead: Bool { isPlain && !isMutableInPlace }

    /// Whether a transformer encodes numbers, text, bytes, or geometry, which stay in the cell.
    private var isPlain: Bool {
        guard transformer != nil, coder != nil, !isExternal else { return false }
        let isGeometry = [CGPoint.self, CGSize.self, CGRect.self].contains { $0 == Value.self as Any.Type }
        return isGeometry || Value.self is any PlainValue.Type
    }

    override var projections: [StoredProjection] { storedProjections }

    override var isMutableInPlace: Bool { coder != nil && Value.self is AnyObject.Type }

    /// Returns a slot as one of this attribute's values, or `nil` if it has no value.
    private func typed(_ slot: Slot) -> ValueSlot<Value>? {
        // A cast by the class's name would look it up. The types are equal, which is all that the cast requires.
        type(of: slot) == slotType ? unsafe unsafeDowncast(slot, to: ValueSlot<Value>.self) : nil
    }

    override func load(_ row: PackedRow, _ cell: Int, in context: TransformContext) -> Slot {
        guard !row.isNull(cell) else { return Slot() }
        guard let coder else { return Slot(failure: failure) }
        do {
            return slotType.init(try coder.decode(row, cell, in: context))
        } catch {
            return Slot(failure: located(error, .undecodable, number: context.object))
        }
    }

    override func load(_ head: () throws -> Data, in context: TransformContext) -> Slot {
        do {
            guard let coder else { throw failure ?? .neverStored(self) }
            let bytes = try head()
            do {
                return slotType.init(try coder.decode(head: bytes, in: context))
            } catch {
                throw withheld(error)
            }
        } catch {
            return Slot(failure: located(error, .undecodable, number: context.object))
        }
    }

    override func head(_ slot: Slot, in context: TransformContext, checkingRules: Bool) throws -> Data? {
        guard let slot = typed(slot) else { return nil }
        guard let coder else { throw failure ?? .neverStored(self) }
        do {
            let head = try coder.encode(head: slot.value, in: context)
            if checkingRules, !rules.isEmpty { try rules.check(.blob(head)) }
            return head
        } catch {
            throw located(withheld(error), .invalidValue, number: context.object)
        }
    }

    override func isUnchanged(_ slot: Slot, sinceHead head: Data, in context: TransformContext) throws -> Bool {
        guard let slot = typed(slot), let coder else { return false }
        return (try? coder.isUnchanged(slot.value, sinceHead: head, in: context)) ?? false
    }

    override func encode(
        _ slot: Slot,
        in context: TransformContext,
        checkingRules: Bool
    ) throws -> ColumnValue {
        guard let slot = typed(slot) else { return .null }
        guard let coder else { throw failure ?? .neverStored(self) }
        do {
            let column = try coder.encode(slot.value, in: context)
            if checkingRules, !rules.isEmpty { try rules.check(column) }
            return column
        } catch {
            throw located(error, .invalidValue, number: context.object)
        }
    }

    override func draft(_ slot: Slot, in context: TransformContext) throws -> ColumnValue {
        guard let slot = typed(slot) else { return .null }
        guard let coder else { throw failure ?? .neverStored(self) }
        return try coder.encode(slot.value, in: context)
    }

    override func project(_ slot: Slot, at indices: [Int], in context: TransformContext) throws -> [ColumnValue] {
        guard !indices.isEmpty else { return [] }
        guard let slot = typed(slot) else { return indices.map { _ in .null } }
        let place = context.withoutObject
        return try indices.map { index in
            let projection = storedProjections[index]
            guard let projector = projectors[index] else { throw projection.failure ?? .neverStored(self) }
            do {
                // Which key is missing is not confidential, because no value was examined.
                try projection.requireNewestKeys(of: entity)
                return try withholding { try projector.encode(slot.value, place) }
            } catch {
                var error = located(error, .invalidValue, number: context.object)
                error.attribute = projection.name
                throw error
            }
        }
    }

    override func isUnchanged(
        _ slot: Slot,
        since row: PackedRow,
        _ cell: Int,
        in context: TransformContext
    ) throws -> Bool {
        guard slot.hasValue else { return row.isNull(cell) }
        guard let slot = typed(slot), let coder, !row.isNull(cell) else { return false }
        // Bytes that cannot be decoded are never equal to this value.
        return (try? coder.isUnchanged(slot.value, since: row, cell, in: context)) ?? false
    }

    override func any(_ slot: Slot) -> Any? {
        typed(slot)?.value
    }

    override func slot(any value: Any?) throws -> Slot {
        guard let value else { return Slot() }
        return slotType.init(try convert(value))
    }

    /// Converts a value of a different type, if both types are stored in the same way.
    private func convert(_ value: Any) throws -> Value {
        if let value = value as? Value { return value }
        if let plain = value as? any PlainValue, let target = Value.self as? any PlainValue.Type,
            let converted = try? target.converted(plain) as? Value
        {
            return converted
        }
        throw StoreError.wrongType(self, found: type(of: value))
    }

    override func value(fromText text: String, in form: AnyHumanForm?) throws -> Any {
        if let form {
            do {
                return try form.parse(Data(text.utf8))
            } catch {
                throw located(withheld(error), .invalidValue, number: nil)
            }
        }
        guard let coder, let column = PlainText.column(text, as: description.type) else {
            throw failure
                ?? StoreError(
                    .invalidValue,
                    "the text is not a value of type “\(description.type.rawValue)”",
                    entity: entity,
                    attribute: name,
                    underlying: PlainText.fault(text, as: description.type)
                )
        }
        do {
            return try coder.decode(PackedRow(single: column), 0, in: .none)
        } catch {
            throw located(error, .invalidValue, number: nil)
        }
    }

    override func column(any value: Any) throws -> ColumnValue {
        guard let coder else { throw failure ?? .neverStored(self) }
        let value = try convert(value)
        do {
            return try coder.encode(value, in: .none)
        } catch {
            throw located(error, .invalidValue, number: nil)
        }
    }

    override func candidates(
        _ projection: Int,
        forAnyOf values: [Any],
        in context: TransformContext
    ) throws -> [ColumnValue] {
        guard let projector = projectors[projection] else {
            throw storedProjections[projection].failure ?? .neverStored(self)
        }
        let values = try values.map(convert)
        do {
            try storedProjections[projection].keys?.check()
            return try withholding { try projector.candidates(values, context) }
        } catch {
            throw located(error, .invalidValue, number: nil)
        }
    }

    private func withholding<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw withheld(error)
        }
    }

    /// Replaces an error on the plain side of a confidential attribute, which may quote the value.
    ///
    /// Its code and name are kept.
    private func withheld(_ error: any Error) -> any Error {
        guard isConfidential, !(error is StoreError) else { return error }
        let known = error as? TransformerError
        return TransformerError(
            known?.code ?? .invalidValue,
            "failed on confidential data; its message is withheld",
            transformer: known?.transformer
        )
    }
}

extension TransformContext {
    /// The same location without the object, for what must not depend on it.
    var withoutObject: Self {
        var copy = self
        copy.object = nil
        return copy
    }
}

extension StoreError {
    static func neverStored(_ attribute: StoredAttribute) -> Self {
        Self(.unsupported, "it is not stored", entity: attribute.entity, attribute: attribute.name)
    }

    static func wrongType(_ attribute: StoredAttribute, found: any Any.Type) -> Self {
        let areNumbers = [attribute.valueType, found]
            .allSatisfy { ($0 as? any PlainValue.Type).flatMap { ValueKind($0.attributeType) }?.isNumber == true }
        let reason = areNumbers ? ", and this number cannot be converted" : ""
        return Self(
            .wrongType,
            "its values are of type \(attribute.valueType), not \(found)\(reason)",
            entity: attribute.entity,
            attribute: attribute.name
        )
    }
}
