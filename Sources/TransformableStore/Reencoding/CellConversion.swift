internal import Foundation
internal import Transformable

/// Converts a stored cell to what another transformer would have written.
///
/// Stages at the beginning that both expressions share are skipped, so a picture that is sealed with a new key is not
/// compressed again. The result is read back before it is used.
struct CellConversion {
    /// The new cell, and the new cells of the projections that are recomputed, or `nil` if they stay as they are.
    struct Result: Sendable {
        let cell: ColumnValue
        let projections: [ColumnValue]?
    }

    let old: StoredAttribute
    let new: StoredAttribute
    /// The positions of the projections that are recomputed.
    ///
    /// One that is outdated, or that this program cannot compute, stays as it is.
    let projections: [Int]
    /// The stages that run, where their input bytes are the same, or `nil` if none run and the bytes stay as they are.
    private let tail: (old: ResolvedTransformer?, new: ResolvedTransformer?)?

    /// Whether only projections can change, because the values are plain before and after.
    var keepsValues: Bool { old.transformer == nil && new.transformer == nil }

    init(from old: StoredAttribute, to new: StoredAttribute, registry: TransformerRegistry) throws {
        self.old = old
        self.new = new
        projections = zip(old.projections, new.projections).enumerated()
            .filter { $0.element.0.failure == nil && $0.element.1.failure == nil }
            .map(\.offset)
        guard let from = old.transformer, let to = new.transformer else {
            tail = nil
            return
        }
        let shared = Self.sharedStages(from, to)
        tail = try shared == 0 ? nil : (Self.tail(of: from, shared, registry), Self.tail(of: to, shared, registry))
    }

    /// Returns the number of stages at the beginning that can be skipped: those that both share, up to the first whose
    /// bytes depend on more than its value.
    private static func sharedStages(_ old: ResolvedTransformer, _ new: ResolvedTransformer) -> Int {
        let same = zip(old.stages, new.stages)
            .prefix { old, new in
                old.stage == new.stage && old.signed == new.signed && old.valueType == new.valueType
                    && old.traits.isDisjoint(with: [.contextual, .confidential])
            }
        let areEqual = same.count == old.stages.count && same.count == new.stages.count
        return areEqual ? 0 : same.count
    }

    private static func tail(
        of resolved: ResolvedTransformer,
        _ shared: Int,
        _ registry: TransformerRegistry
    ) throws -> ResolvedTransformer? {
        let stages = resolved.stages[shared...]
        guard !stages.isEmpty else { return nil }
        let expression = TransformerExpression(stages: stages.map(\.stage))
        return try registry.resolve(expression, for: stages.first?.valueType)
    }

    /// Converts a cell that is not null and is the only one in its row.
    ///
    /// - Throws: `StoreError` if the cell cannot be decoded, or if its value cannot be stored.
    func convert(_ row: PackedRow, at place: TransformContext) throws -> Result {
        let cell = try tail.map { try convert(row, $0.old, $0.new, at: place) } ?? converted(row, at: place)
        let written = new.load(PackedRow(single: cell), 0, in: place)
        if let failure = written.failure { throw failure }
        return try Result(cell: cell, projections: new.project(written, at: projections, in: place))
    }

    private func converted(_ row: PackedRow, at place: TransformContext) throws -> ColumnValue {
        if keepsValues { return row.value(0) }
        let slot = old.load(row, 0, in: place)
        if let failure = slot.failure { throw failure }
        return try new.encode(new.slot(any: old.any(slot)), in: place)
    }

    private func convert(
        _ row: PackedRow,
        _ from: ResolvedTransformer?,
        _ to: ResolvedTransformer?,
        at place: TransformContext
    ) throws -> ColumnValue {
        guard row.kind(0) == .blob else { return try converted(row, at: place) }
        do {
            let bytes = row.data(0)
            let inner = try from.map { try $0.decode(any: bytes, in: place) } ?? bytes
            let written = try to.map { try $0.encode(any: inner, in: place) } ?? inner
            return (written as? Data).map(ColumnValue.blob) ?? .null
        } catch {
            throw old.located(error, .undecodable, number: place.object)
        }
    }

    /// The transformers that read and write a blob in pieces, or `nil` if a stage or a projection needs the whole
    /// value.
    var streams: (old: any StreamTransformer, new: any StreamTransformer)? {
        guard new.isExternal, new.projections.isEmpty else { return nil }
        if let tail {
            guard let from = Self.stream(tail.old), let to = Self.stream(tail.new) else { return nil }
            return (from, to)
        }
        let areBytes = old.valueType == Data.self && new.valueType == Data.self
        return areBytes && !old.hasWholeStage && !new.hasWholeStage ? (old.tail, new.tail) : nil
    }

    private static func stream(_ resolved: ResolvedTransformer?) -> (any StreamTransformer)? {
        guard let resolved else { return IdentityTransformer<Data>() }
        return resolved.streamed?.head == nil ? resolved.streamed?.tail : nil
    }

    /// Returns a Boolean value that indicates whether the new transformer could decode a cell that could not be
    /// converted.
    func isReadable(_ row: PackedRow, at place: TransformContext) -> Bool {
        new.load(row, 0, in: place).failure == nil
    }
}
