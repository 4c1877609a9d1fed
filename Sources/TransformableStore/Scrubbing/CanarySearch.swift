internal import Foundation
internal import Glibc

/// Searches files for canaries, byte by byte, using a constant amount of memory.
struct CanarySearch {
    private static let blockCount = 1 << 20

    private let pieces: [[UInt8]]
    /// The positions of pieces in the collection, by their first eight bytes.
    private let places: [UInt64: [Int]]
    /// Whether any piece starts with a pair of bytes.
    ///
    /// Most positions in a file are rejected by this test.
    private let beginnings: [Bool]

    init(_ canaries: Canaries) {
        pieces = canaries.pieces.map { Array($0) }
        var places: [UInt64: [Int]] = [:]
        var beginnings = Array(repeating: false, count: 1 << 16)
        for (index, piece) in pieces.enumerated() {
            places[Self.head(piece, 0), default: []].append(index)
            beginnings[Int(piece[0]) << 8 | Int(piece[1])] = true
        }
        self.places = places
        self.beginnings = beginnings
    }

    private static func head(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        bytes[offset..<offset + Canaries.shortest].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the canaries that occur in some bytes, as positions in the collection.
    func places(in bytes: some Sequence<UInt8>) -> Set<Int> {
        var found: Set<Int> = []
        if !pieces.isEmpty { search(Array(bytes), &found) }
        return found
    }

    /// Returns the canaries that occur in a file, as positions in the collection.
    ///
    /// A missing file, a folder, or a device contains none.
    ///
    /// - Throws: Any error that occurs while the file is read.
    func places(in path: String) throws -> Set<Int> {
        guard !pieces.isEmpty, FileSystem.isRegularFile(path) else { return [] }
        guard let descriptor = FileSystem.openDescriptor(of: path) ?? Self.open(path) else { return [] }
        var reader = FileReader(descriptor, path: path)
        var found: Set<Int> = []
        var block: [UInt8] = []
        while true {
            // A sparse file can have any length. The remaining zeros are enough for every piece that contains some.
            reader.skipHole(leaving: Canaries.longest)
            let next = try reader.read(upTo: Self.blockCount)
            guard !next.isEmpty else { return found }
            // A piece that extends over two blocks is found in the second one.
            block = Array(block.suffix(Canaries.longest - 1)) + next
            search(block, &found)
        }
    }

    private static func open(_ path: String) -> FileDescriptor? {
        let number = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        return number < 0 ? nil : FileDescriptor(number)
    }

    private func search(_ block: [UInt8], _ found: inout Set<Int>) {
        guard block.count >= Canaries.shortest else { return }
        for offset in 0...block.count - Canaries.shortest
        where beginnings[Int(block[offset]) << 8 | Int(block[offset + 1])] {
            for index in places[Self.head(block, offset)] ?? [] where block[offset...].starts(with: pieces[index]) {
                found.insert(index)
            }
        }
    }
}
