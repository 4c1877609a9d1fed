/// Splits elements into chunks that are large enough for a thread and small in memory.
struct BulkSource<Element: Sendable> {
    private static var mostElements: Int { 512 }
    private static var bytes: Int { 1 << 20 }
    private var elements: BulkElements<Element>
    private var place = 0
    // Small until the size of rows is known.
    private var size = 16
    /// The numbers that were reserved for all elements, or `nil` if each chunk takes its own.
    private(set) var reserved: Range<Int64>?
    /// The number of the first element's object.
    var first: Int64 = 0

    init(_ elements: BulkElements<Element>) {
        self.elements = elements
    }

    /// Reserves numbers for all elements.
    ///
    /// - Parameter reserve: A closure that reserves as many consecutive numbers, and returns the first of them.
    /// - Throws: Errors thrown by the closure.
    mutating func reserve(_ reserve: (Int) throws -> Int64) throws {
        if elements.count == nil {
            let all = elements.rest()
            elements = BulkElements(all)
        }
        let count = elements.count ?? 0
        let first = try reserve(count)
        reserved = first..<first + Int64(count)
    }

    /// Returns the next chunk, which is being encoded with numbers for its objects, or `nil` at the end.
    mutating func next(_ encoder: BulkEncoder<Element>, in context: StoreContext) throws -> BulkChunk? {
        let piece = elements.take(size)
        guard !piece.isEmpty else { return nil }
        defer { place += piece.count }
        let entity = encoder.entity
        let number = first + Int64(place)
        if let reserved {
            guard number + Int64(piece.count) <= reserved.upperBound else {
                throw StoreError(.misuse, "the collection has more elements than its count says", entity: entity.name)
            }
        } else {
            guard try context.connection.takeNumbers(piece.count, of: entity) == number else {
                throw interrupted(entity)
            }
        }
        return BulkChunk(piece, numberedFrom: number, at: place, encoder)
    }

    private func interrupted(_ entity: StoredEntity) -> StoreError {
        StoreError(
            .misuse,
            "other objects of the entity were inserted during a bulk insertion, so the numbers of its objects are not "
                + "consecutive; insert an array of elements instead of a sequence",
            entity: entity.name
        )
    }

    /// Chooses the size of later chunks by the number of bytes in a row.
    mutating func note(rowByteCount: Int) {
        size = min(Self.mostElements, max(1, Self.bytes / max(1, rowByteCount)))
    }
}

/// The elements of a bulk insertion, which are taken from a sequence in pieces.
///
/// The code that takes them is compiled in the program that has the sequence. Elsewhere, each element of a range would
/// cost lookups of generic types.
@usableFromInline
package struct BulkElements<Element: Sendable> {
    /// The number of elements, if it is known before they are taken.
    let count: Int?
    // Returns the next elements, at most as many as it is asked for, and none at the end.
    private let next: (Int) -> [Element]

    /// Creates the elements of a sequence.
    @inlinable
    package init<Elements: Sequence>(_ elements: Elements) where Elements.Element == Element {
        var iterator = elements.makeIterator()
        self.init(count: (elements as? any RandomAccessCollection)?.count) { most in
            var piece: [Element] = []
            piece.reserveCapacity(most)
            while piece.count < most, let element = iterator.next() { piece.append(element) }
            return piece
        }
    }

    @usableFromInline
    package init(count: Int?, next: @escaping (Int) -> [Element]) {
        self.count = count
        self.next = next
    }

    /// Returns the next elements, and none at the end.
    fileprivate func take(_ most: Int) -> [Element] { next(most) }

    /// Returns all elements that have not been taken.
    func rest() -> [Element] {
        var elements: [Element] = []
        while case let piece = next(4096), !piece.isEmpty { elements += piece }
        return elements
    }
}

@available(*, unavailable)
extension BulkElements: Sendable {}
