internal import TransformableModel
internal import TransformableStore

/// Takes over the references of a relationship that our store keeps in a table of pairs.
final class PairAdopter {
    /// The numbers of the entities of a pair's objects.
    private struct Combination: Hashable {
        let owner: Int64
        let related: Int64

        var reversed: Self { Self(owner: related, related: owner) }

        init(owner: Int64, related: Int64) {
            self.owner = owner
            self.related = related
        }

        /// Returns `nil` if an object does not exist.
        ///
        /// Rows whose numbers are not positive are not adopted.
        init?(_ pair: PairScan.Pair) {
            guard pair.owner.number > 0, pair.related.number > 0, let owner = pair.owner.entity,
                let related = pair.related.entity
            else { return nil }
            self.init(owner: owner, related: related)
        }
    }

    /// The name of the relationship.
    private let name: String
    private let work: AdoptionWork
    private let tally: RelationshipTallies.Key
    private var loaders: [Combination: PairLoader?] = [:]

    /// Prepares to adopt a relationship.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - entity: The entity that declares it.
    ///   - work: What all adopters share.
    init(_ name: String, of entity: String, _ work: AdoptionWork) {
        self.name = name
        self.work = work
        tally = work.tallies.key(name, declaredFor: entity)
    }

    /// Takes over a reference.
    ///
    /// - Parameter pair: The reference.
    /// - Throws: `StoreError` if the pair cannot be stored, or `CoreDataError` if an object does not exist and the
    ///   options do not allow that.
    func adopt(_ pair: PairScan.Pair) throws {
        guard let combination = Combination(pair) else {
            return try work.tallies.noteDangling(tally, object: pair.owner.number)
        }
        guard let loader = try loader(combination) else {
            let isAdopted = work.adopted[combination.owner] != nil && work.adopted[combination.related] != nil
            return isAdopted ? work.tallies.noteUnknown(tally) : work.tallies.noteLeftOut(tally)
        }
        work.tallies.noteKept(tally)
        guard !work.isRehearsal else { return }
        try loader.insert(
            pair.owner.number,
            pair.related.number,
            position: pair.position,
            backPosition: pair.backPosition
        )
    }

    /// Takes over the other direction of a reference of a relationship that is its own inverse.
    func mirror(_ pair: PairScan.Pair) throws {
        guard let combination = Combination(pair), !work.isRehearsal else { return }
        let loader = try loader(combination.reversed)
        try loader?.insert(pair.related.number, pair.owner.number, position: nil, backPosition: nil)
    }

    private func loader(_ combination: Combination) throws -> PairLoader? {
        if let known = loaders[combination] { return known }
        let loader = try makeLoader(combination)
        loaders[combination] = .some(loader)
        return loader
    }

    private func makeLoader(_ combination: Combination) throws -> PairLoader? {
        guard let owner = work.adopted[combination.owner], let related = work.adopted[combination.related],
            work.model.relationships(of: owner).contains(where: { $0.name == name })
        else { return nil }
        return try work.loader.pairs(of: name, owner, to: related)
    }
}
