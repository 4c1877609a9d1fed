internal import Foundation
internal import Transformable

/// An attribute as an open store has it; the type of its values is known to its subclass.
///
/// `@unchecked`: every member here and in the one subclass is a constant of a `Sendable` type; only
/// that a class with subclasses cannot say so.
class StoredAttribute: @unchecked Sendable {
    final let description: AttributeDescription
    final let entity: String
    final let id: UInt32
    final let index: Int
    final let cell: Int?
    final let transformer: ResolvedTransformer?
    final let failure: StoreError?
    final let rules: ValueRules
    /// Whether its bytes may lie in files of their own.
    final let isExternal: Bool
    /// The last stages, which take large values in pieces; they come after those that make its head.
    final let tail: any StreamTransformer

    init(_ blueprint: AttributeBlueprint) {
        description = blueprint.description
        entity = blueprint.entity
        id = blueprint.id
        index = blueprint.index
        cell = blueprint.cell
        transformer = blueprint.transformer
        failure = blueprint.failure
        rules = ValueRules(blueprint.description)
        isExternal = blueprint.isExternal
        tail = blueprint.transformer?.streamed?.tail ?? IdentityTransformer<Data>()
    }

    final var name: String { description.name }

    /// Whether its values are kept in memory only.
    final var isTransient: Bool { description.isTransient }

    /// Whether a stage needs the value whole, so that it cannot be taken or given in pieces.
    final var hasWholeStage: Bool {
        transformer.map { $0.streamed == nil || $0.streamed?.head != nil } ?? false
    }

    /// From how many bytes on a cell is read only when it is asked for.
    private static let largeCell = 65_536

    /// Whether large cells are left out when a row is read.
    final var isDeferrable: Bool { description.type == .data || description.type == .transformed }

    /// What a fetch reads: the cell, or a large one's length, for which SQLite need not load it.
    final var readExpression: String {
        let column = SQL.quoted(name)
        guard isDeferrable else { return column }
        let isLarge = "typeof(\(column)) = 'blob' AND length(\(column)) > \(Self.largeCell)"
        return "iif(\(isLarge), length(\(column)), \(column))"
    }

    /// Adds where it happened to what a coder throws.
    final func located(_ error: any Error, _ code: StoreError.Code, number: Int64?) -> StoreError {
        let object = number.map { ObjectID(entity: entity, number: $0) }
        if var error = error as? StoreError {
            error.object = error.object ?? object
            error.entity = error.entity ?? entity
            error.attribute = error.attribute ?? name
            return error
        }
        let what = code == .undecodable ? "the stored bytes cannot be decoded" : "the value cannot be stored"
        return StoreError(code, what, entity: entity, attribute: name, object: object, underlying: error)
    }

    // MARK: - What the subclass does

    var valueType: any Any.Type { Never.self }

    var projections: [StoredProjection] { [] }

    /// Decodes a cell into a slot; a failure is kept in it.
    func load(_ row: PackedRow, _ cell: Int, in context: TransformContext) -> Slot { Slot() }

    /// Encodes a slot's value.
    func encode(_ slot: Slot, in context: TransformContext) throws -> ColumnValue { .null }

    /// Encodes a slot's value without asking whether the rules of the model allow it.
    func draft(_ slot: Slot, in context: TransformContext) throws -> ColumnValue { .null }

    /// The cells of the projections of a slot's value.
    func project(_ slot: Slot, in context: TransformContext) throws -> [ColumnValue] { [] }

    /// What the stages before the tail give for a slot's value; nil if it has none.
    func head(_ slot: Slot, in context: TransformContext) throws -> Data? { nil }

    /// Decodes what the tail gave into a slot; a failure is kept in it.
    func load(_ head: () throws -> Data, in context: TransformContext) -> Slot { Slot() }

    func isUnchanged(_ slot: Slot, sinceHead head: Data, in context: TransformContext) throws -> Bool { false }

    func isUnchanged(_ slot: Slot, since row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Bool {
        false
    }

    /// Whether a value that nobody has set may have changed: one of reference type.
    var isMutableInPlace: Bool { false }

    func any(_ slot: Slot) -> Any? { nil }

    /// The slot of a value, converted to the attribute's type where both lie in a column alike.
    func slot(any value: Any?) throws -> Slot { Slot() }

    /// A value as a person gives it, in the form of the transformer or of the plain kind.
    func value(fromText text: String) throws -> Any { text }

    /// A value as a cell, for a condition.
    func column(any value: Any) throws -> ColumnValue { .null }

    /// What a projection may hold for a value.
    func candidates(_ projection: Int, for value: Any, in context: TransformContext) throws -> [ColumnValue] { [] }
}
