internal import Foundation
internal import Transformable

/// An attribute of an open store.
///
/// The type of its values is known to its subclass.
///
/// `@unchecked` because a class with subclasses cannot conform otherwise. Every member here and in the only subclass is
/// a constant of a `Sendable` type.
class StoredAttribute: @unchecked Sendable {
    final let description: AttributeDescription
    final let entity: String
    final let id: UInt32
    final let index: Int
    final let cell: Int?
    final let transformer: ResolvedTransformer?
    final let failure: StoreError?
    final let rules: ValueRules
    /// How its values are computed from the rest of the object, or `nil` if programs set them.
    final let derivation: Derivation?
    /// Whether its values may be stored externally.
    final let isExternal: Bool
    /// The last stages, which process large values in pieces.
    ///
    /// They follow the stages of the head.
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
        derivation = blueprint.description.derivation
        isExternal = blueprint.isExternal
        tail = blueprint.transformer?.streamed?.tail ?? IdentityTransformer<Data>()
    }

    final var name: String { description.name }

    /// Returns the cells of all projections of a slot's value.
    final func project(_ slot: Slot, in context: TransformContext) throws -> [ColumnValue] {
        try project(slot, at: Array(projections.indices), in: context)
    }

    /// Whether its values are kept only in memory.
    final var isTransient: Bool { description.isTransient }

    /// Whether its cells are unreadable without a key.
    final var isConfidential: Bool { transformer?.traits.contains(.confidential) == true }

    /// Whether a stage needs the whole value, so the value cannot be processed in pieces.
    final var hasWholeStage: Bool {
        transformer.map { $0.streamed == nil || $0.streamed?.head != nil } ?? false
    }

    /// The size in bytes from which a cell is read only when it is needed.
    private static let largeCell = 65_536

    /// Whether large cells are omitted when a row is read.
    final var isDeferrable: Bool { description.type == .data || description.type == .transformed }

    /// The expression that a fetch reads: the cell, or the length of a large cell, for which SQLite does not have to
    /// load it.
    final var readExpression: String {
        let column = SQL.quoted(name)
        guard isDeferrable else { return column }
        // SQLite finds the length without reading the content, and looks at the type only if that is large.
        let isLarge = "length(\(column)) > \(Self.largeCell) AND typeof(\(column)) = 'blob'"
        return "iif(\(isLarge), length(\(column)), \(column))"
    }

    /// Returns a Boolean value that indicates whether a cell is omitted when its row is read.
    final func isLarge(_ cell: ColumnValue) -> Bool {
        guard isDeferrable, case .blob(let bytes) = cell else { return false }
        return bytes.count > Self.largeCell
    }

    /// Adds the location to an error thrown by a coder.
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

    // MARK: - Overridden by the subclass

    var valueType: any Any.Type { Never.self }

    /// Whether a fetch may decode values before they are read.
    ///
    /// This must be worth a thread of its own, and take memory only in proportion to the stored bytes.
    var isDecodedAhead: Bool { false }

    /// Whether a save may encode values before their rows are written.
    ///
    /// This must be worth a thread of its own, and no other thread can change the values.
    var isEncodedAhead: Bool { false }

    var projections: [StoredProjection] { [] }

    /// Decodes a cell into a slot.
    ///
    /// A failure is kept in the slot.
    func load(_ row: PackedRow, _ cell: Int, in context: TransformContext) -> Slot { Slot() }

    /// Encodes a slot's value.
    func encode(
        _ slot: Slot,
        in context: TransformContext,
        checkingRules: Bool = true
    ) throws -> ColumnValue { .null }

    /// Encodes a slot's value without checking the rules of the model.
    func draft(_ slot: Slot, in context: TransformContext) throws -> ColumnValue { .null }

    /// Returns the cells of some projections of a slot's value, which are given by their positions.
    func project(_ slot: Slot, at indices: [Int], in context: TransformContext) throws -> [ColumnValue] { [] }

    /// Returns the output of the stages before the tail for a slot's value, or `nil` if it has none.
    func head(_ slot: Slot, in context: TransformContext, checkingRules: Bool = true) throws -> Data? { nil }

    /// Decodes the output of the tail into a slot.
    ///
    /// A failure is kept in the slot.
    func load(_ head: () throws -> Data, in context: TransformContext) -> Slot { Slot() }

    func isUnchanged(_ slot: Slot, sinceHead head: Data, in context: TransformContext) throws -> Bool { false }

    func isUnchanged(_ slot: Slot, since row: PackedRow, _ cell: Int, in context: TransformContext) throws -> Bool {
        false
    }

    /// Whether the value may change without being set, because it is of reference type.
    var isMutableInPlace: Bool { false }

    func any(_ slot: Slot) -> Any? { nil }

    /// Returns the slot of a value, which is converted to the attribute's type if both are stored in the same way.
    func slot(any value: Any?) throws -> Slot { Slot() }

    /// Returns a value from its human form, as defined by the transformer or the plain type.
    func value(fromText text: String) throws -> Any { try value(fromText: text, in: transformer?.form) }

    /// Returns a value from a form of the transformer, or without one from the form of the plain type.
    func value(fromText text: String, in form: AnyHumanForm?) throws -> Any { text }

    /// Returns a value as a cell, for a condition.
    func column(any value: Any) throws -> ColumnValue { .null }

    /// Returns what a projection may contain for a value that equals one of several values.
    func candidates(
        _ projection: Int,
        forAnyOf values: [Any],
        in context: TransformContext
    ) throws -> [ColumnValue] { [] }
}

/// The parts of a stored attribute that do not depend on the type of its values.
struct AttributeBlueprint: Sendable {
    var description: AttributeDescription
    let entity: String
    /// The attribute's number in its store, which is never reused.
    let id: UInt32
    /// The attribute's position in its entity.
    let index: Int
    /// The attribute's position in a fetched row, or `nil` for a transient attribute.
    let cell: Int?
    /// Whether its values may be stored externally, according to this model or an earlier one.
    var isExternal = false
    /// The transformer of a transformed attribute, if it can be resolved.
    var transformer: ResolvedTransformer?
    /// The reason why the attribute's values cannot be read or written in this program.
    var failure: StoreError?
}
