import Foundation
import _HostileInputs

/// Damage to the pages of a database file, as caused by failing disks, lost writes, and attackers.
enum PageMutation: CaseIterable {
    case swappedPages
    case zeroedPage
    case duplicatedPage
    case truncatedFile
    case randomBytes
    case randomPointer

    private static let pageSize = 4096

    /// Damages a file.
    ///
    /// - Parameters:
    ///   - file: The bytes of a database with pages of 4096 bytes.
    ///   - seed: The seed that determines the kind and the location of the damage.
    /// - Returns: The damaged bytes.
    static func apply(to file: Data, seed: UInt64) -> Data {
        var generator = SeededGenerator(seed: seed)
        var bytes = [UInt8](file)
        let mutation = allCases[Int(seed % UInt64(allCases.count))]
        mutation.apply(to: &bytes, &generator)
        return Data(bytes)
    }

    private func apply(to bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let count = bytes.count / Self.pageSize
        // The first page contains the header and the tables' definitions, without which nothing else is read.
        let pages = (0..<2).map { _ in Int.random(in: 1..<count, using: &generator) * Self.pageSize }
        let (first, second) = (pages[0]..<pages[0] + Self.pageSize, pages[1]..<pages[1] + Self.pageSize)
        switch self {
        case .swappedPages:
            let kept = Array(bytes[first])
            bytes.replaceSubrange(first, with: Array(bytes[second]))
            bytes.replaceSubrange(second, with: kept)
        case .zeroedPage: bytes.replaceSubrange(first, with: [UInt8](repeating: 0, count: Self.pageSize))
        case .duplicatedPage: bytes.replaceSubrange(second, with: Array(bytes[first]))
        case .truncatedFile: bytes.removeLast(.random(in: 1..<bytes.count, using: &generator))
        case .randomBytes:
            let isHeader = Bool.random(using: &generator)
            for _ in 0..<Int.random(in: 1...16, using: &generator) {
                let offset = Int.random(in: 0..<(isHeader ? 16 : Self.pageSize), using: &generator)
                bytes[first.lowerBound + offset] = .random(in: .min ... .max, using: &generator)
            }
        case .randomPointer:
            // Four bytes with the number of a page, as in links of trees, overflow pages, and free pages.
            let offset = first.lowerBound + Int.random(in: 0..<Self.pageSize - 4, using: &generator)
            let page = UInt32.random(in: 0...UInt32(count + 1), using: &generator)
            for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: page >> (24 - 8 * index)) }
        }
    }
}
