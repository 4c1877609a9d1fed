internal import Transformable

/// Compares the projections of a stored object with the results for its values, with any key.
struct ProjectionCheck {
    private let object: ManagedObject
    /// The cells of the projections, by the names of their columns.
    private let cells: [String: ColumnValue]

    init(of object: ManagedObject, _ cells: [String: ColumnValue]) {
        self.object = object
        self.cells = cells
    }

    /// Checks the projections of an attribute, whose value can be read.
    ///
    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - result: The verification that faults are added to.
    /// - Throws: `StoreError` if the value cannot be read after all.
    func check(_ attribute: StoredAttribute, _ result: inout Verification) throws {
        guard attribute.transformer?.traits.contains(.lossy) != true else { return }
        let value = try attribute.any(object.slot(attribute))
        let place = object.place(attribute).withoutObject
        for (index, projection) in attribute.projections.enumerated() where projection.failure == nil {
            // Earlier versions have projected text as it was written.
            let forms = value.map { [$0] + (($0 as? String).map { [$0.composed] } ?? []) } ?? []
            compare(projection, of: attribute.name, "value", &result) {
                try value == nil ? [.null] : attribute.candidates(index, forAnyOf: forms, in: place)
            }
        }
    }

    /// Checks a compound projection.
    ///
    /// - Parameters:
    ///   - compound: The projection.
    ///   - result: The verification that faults are added to.
    func check(_ compound: StoredCompound, _ result: inout Verification) {
        guard compound.isVerifiable else { return }
        // Values that cannot be read are faults of their own, and programs that can read them write other cells.
        guard let slots = try? compound.parts.map({ try object.slot($0.attribute) }),
            slots.allSatisfy({ $0.failure == nil })
        else { return }
        let values = zip(compound.parts, slots).compactMap { $0.attribute.any($1) }
        let place = object.tenantPlace
        compare(compound.projection, of: compound.name, "values", &result) {
            let isWhole = values.count == compound.parts.count
            return try isWhole ? compound.candidates(for: values, in: place) : [.null, compound.undecided]
        }
    }

    /// Compares the column of a projection with the cells that it may contain.
    ///
    /// If they cannot be computed from what is stored, the store has not written it.
    private func compare(
        _ projection: StoredProjection,
        of attribute: String,
        _ origin: String,
        _ result: inout Verification,
        with candidates: () throws -> [ColumnValue]
    ) {
        let stored = cells[projection.name] ?? .null
        do {
            guard try !candidates().contains(where: stored.isIdentical) else { return }
            result.add(mismatch(projection, origin, of: attribute))
        } catch let error as StoreError where error.isOfThisProgram {
            result.note(error, attribute, of: object)
        } catch {
            result.add(mismatch(projection, origin, of: attribute))
        }
    }

    private func mismatch(_ projection: StoredProjection, _ origin: String, of attribute: String) -> StoreError {
        let way = "replace the \(origin) with --replace-damaged (in code: “replaceValue”)"
        let otherWay = projection.keys == nil ? "" : ", or run “store reseal”"
        return StoreError(
            .wrongProjection,
            "the column “\(projection.name)” does not match the \(origin); \(way)\(otherWay)",
            entity: object.entity.name,
            attribute: attribute,
            object: object.id
        )
    }
}
