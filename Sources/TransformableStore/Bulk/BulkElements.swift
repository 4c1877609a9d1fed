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
    func take(_ most: Int) -> [Element] { next(most) }

    /// Returns all elements that have not been taken.
    func rest() -> [Element] {
        var elements: [Element] = []
        while case let piece = next(4096), !piece.isEmpty { elements += piece }
        return elements
    }
}

@available(*, unavailable)
extension BulkElements: Sendable {}
