/// Finds the fewest changes that turn one list into another.
struct SectionDifference {
    private let old: SectionList
    private let new: SectionList
    // Objects with changes that their rows do not show.
    private let touched: Set<ObjectID>

    /// Compares a list with the previous one, which is `nil` if there was none.
    init(from old: SectionList?, to new: SectionList, touched: Set<ObjectID> = []) {
        self.old = old ?? SectionList([], versions: [:])
        self.new = new
        self.touched = touched
    }

    func changes() -> SectionChanges {
        var changes = SectionChanges()
        let kept = keptSections()
        let staying = Set(kept.values)
        changes.deletedSections = old.sections.indices.filter { !staying.contains($0) }
        changes.insertedSections = new.sections.indices.filter { kept[$0] == nil }
        for (number, section) in old.sections.enumerated() {
            for (item, id) in section.ids.enumerated() where new.entries[id] == nil {
                changes.deleted.append(.init(id: id, position: SectionPosition(section: number, item: item)))
            }
        }
        for number in new.sections.indices { add(number, keptFrom: kept[number], to: &changes) }
        return changes
    }

    /// Returns the new indexes of the sections that keep their place among the others, with their old indexes.
    private func keptSections() -> [Int: Int] {
        let numbers = Dictionary(uniqueKeysWithValues: old.sections.enumerated().map { ($1.token, $0) })
        let common = new.sections.enumerated()
            .compactMap { place, section in numbers[section.token].map { (place, $0) } }
        // As many objects as possible should stay.
        let weights = common.map { place, number in
            isSame(place, number)
                ? new.sections[place].ids.count + 1
                : new.sections[place].ids.count { old.entries[$0]?.position.section == number } + 1
        }
        let stays = IncreasingSequence.heaviest(common.map(\.1), weights: weights, bound: old.sections.count)
        return Dictionary(uniqueKeysWithValues: zip(common, stays).filter(\.1).map(\.0))
    }

    /// Adds the changes to the objects of a new section.
    private func add(_ number: Int, keptFrom former: Int?, to changes: inout SectionChanges) {
        guard former.map({ isSame(number, $0) }) != true else { return addUpdates(number, to: &changes) }
        let staying = staying(number, from: former)
        for (item, id) in new.sections[number].ids.enumerated() {
            let position = SectionPosition(section: number, item: item)
            guard let entry = old.entries[id] else {
                changes.inserted.append(.init(id: id, position: position))
                continue
            }
            let move = SectionChanges.Move(id: id, from: entry.position, to: position)
            if !staying.contains(item) {
                changes.moved.append(move)
            } else if isChanged(id) {
                changes.updated.append(move)
            }
        }
    }

    /// Returns the objects of a new section that do not have to move: the most that are in the same order in the old
    /// one.
    private func staying(_ number: Int, from former: Int?) -> Set<Int> {
        guard let former else { return [] }
        let candidates = new.sections[number].ids.enumerated()
            .compactMap { item, id -> (item: Int, old: Int, preference: Int)? in
                guard let position = old.entries[id]?.position, position.section == former else { return nil }
                // Among equally many objects, prefer those that are in the same position, and then those that were not
                // changed.
                let isInPlace = position == SectionPosition(section: number, item: item)
                return (item, position.item, (isInPlace ? 2 : 0) + (isChanged(id) ? 0 : 1))
            }
        let weights = candidates.map { $0.preference + 3 * candidates.count + 1 }
        let bound = old.sections[former].count
        let stays = IncreasingSequence.heaviest(candidates.map(\.old), weights: weights, bound: bound)
        return Set(zip(candidates, stays).filter(\.1).map(\.0.item))
    }

    /// Returns a Boolean value that indicates whether a section has the same objects in the same order, as nearly all
    /// sections do after a small change.
    private func isSame(_ number: Int, _ former: Int) -> Bool {
        new.sections[number].ids == old.sections[former].ids
    }

    /// Adds the updated objects of a section whose objects have not moved.
    private func addUpdates(_ number: Int, to changes: inout SectionChanges) {
        for (item, id) in new.sections[number].ids.enumerated() where isChanged(id) {
            guard let from = old.entries[id]?.position else { continue }
            let position = SectionPosition(section: number, item: item)
            changes.updated.append(SectionChanges.Move(id: id, from: from, to: position))
        }
    }

    private func isChanged(_ id: ObjectID) -> Bool {
        touched.contains(id) || old.entries[id]?.version != new.entries[id]?.version
    }
}

/// Finds the increasing subsequence with the largest weight.
enum IncreasingSequence {
    /// Returns which elements form the increasing subsequence with the largest sum of weights.
    ///
    /// - Parameters:
    ///   - values: Distinct numbers, each at least 0.
    ///   - weights: The weights of the elements, each greater than 0.
    ///   - bound: A number larger than all values.
    /// - Returns: Whether each element is part of the subsequence.
    static func heaviest(_ values: [Int], weights: [Int], bound: Int) -> [Bool] {
        var best: [(weight: Int, last: Int?)] = Array(repeating: (0, nil), count: bound + 1)
        var before: [Int?] = []
        for (index, value) in values.enumerated() {
            // A Fenwick tree of maxima: the heaviest subsequence that ends below each value.
            var heaviest: (weight: Int, last: Int?) = (0, nil)
            var node = value
            while node > 0 {
                if best[node].weight > heaviest.weight { heaviest = best[node] }
                node -= node & -node
            }
            before.append(heaviest.last)
            node = value + 1
            while node <= bound {
                if best[node].weight < heaviest.weight + weights[index] {
                    best[node] = (heaviest.weight + weights[index], index)
                }
                node += node & -node
            }
        }
        return chosen(before, from: last(best))
    }

    private static func last(_ best: [(weight: Int, last: Int?)]) -> Int? {
        best.max { $0.weight < $1.weight }?.last
    }

    private static func chosen(_ before: [Int?], from last: Int?) -> [Bool] {
        var chosen = Array(repeating: false, count: before.count)
        var next = last
        while let index = next {
            chosen[index] = true
            next = before[index]
        }
        return chosen
    }
}
