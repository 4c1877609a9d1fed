internal import TransformableModel

/// Bytes to be sent, which grow at their end.
@safe
package struct WireBuffer: ~Copyable {
    /// The size of the largest value that PostgreSQL stores, in bytes.
    static let largestCell = 0x3FFF_FFFF
    /// The size of the values of a row or a statement that PostgreSQL accepts, in bytes.
    ///
    /// The limit is a gigabyte, of which a megabyte is left for what goes along with the values.
    static let largestMessage = largestCell - 0xF_FFFF

    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 1024) {
        unsafe start = .allocate(byteCount: capacity, alignment: 8)
        self.capacity = capacity
    }

    deinit {
        unsafe start.deallocate()
    }

    /// The bytes, which are valid until the buffer changes.
    @unsafe var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }

    mutating func removeAll() {
        count = 0
    }

    /// Throws an error if a value makes a row or a statement too large, before memory is allocated for it.
    func requireRoom(for size: Int) throws(StoreError) {
        guard size <= Self.largestCell else { throw .largeValue }
        guard count + size <= Self.largestMessage else { throw .largeMessage }
    }

    /// Appends an integer in big-endian byte order.
    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
        let size = MemoryLayout<Integer>.size
        reserve(size)
        unsafe start.storeBytes(of: value.bigEndian, toByteOffset: count, as: Integer.self)
        count += size
    }

    @unsafe mutating func append(_ other: UnsafeRawBufferPointer) {
        guard let base = other.baseAddress, unsafe !other.isEmpty else { return }
        reserve(other.count)
        unsafe (start + count).copyMemory(from: base, byteCount: other.count)
        count += other.count
    }

    /// Appends a value after its length, or the length -1 for NULL.
    mutating func appendCell<Value: PostgresCodable>(_ value: Value?) throws(StoreError) {
        guard let value else { return append(Int32(-1)) }
        let lengthOffset = count
        append(Int32(0))
        try value.write(to: &self)
        let length = count - lengthOffset - 4
        unsafe start.storeBytes(of: Int32(length).bigEndian, toByteOffset: lengthOffset, as: Int32.self)
    }

    private mutating func reserve(_ additional: Int) {
        guard count + additional > capacity else { return }
        let larger = max(capacity * 2, count + additional)
        let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        unsafe new.copyMemory(from: start, byteCount: count)
        unsafe start.deallocate()
        unsafe start = new
        capacity = larger
    }
}

/// The values of a statement's parameters, as libpq takes them.
struct BoundParameters: ~Copyable {
    private var buffer = WireBuffer()
    private var ranges: [Range<Int>?] = []

    /// Creates an empty list of parameters.
    init() {}

    /// Writes values.
    ///
    /// - Throws: `StoreError` if a value does not have the type that the statement says.
    init(_ values: [PostgresValue], for statement: PostgresStatement) throws(StoreError) {
        guard values.count == statement.parameters.count else {
            throw StoreError(.misuse, "the statement has \(statement.parameters.count) parameters, not \(values.count)")
        }
        ranges.reserveCapacity(values.count)
        for (value, type) in zip(values, statement.parameters) {
            guard let codable = value.codable else {
                ranges.append(nil)
                continue
            }
            guard value.type == type else {
                throw StoreError(.misuse, "the parameter $\(ranges.count + 1) has the type \(type)")
            }
            let start = buffer.count
            try codable.write(to: &buffer)
            ranges.append(start..<buffer.count)
        }
    }

    /// Adds a value, or NULL.
    mutating func append<Value: PostgresCodable>(_ value: Value?) throws(StoreError) {
        guard let value else { return ranges.append(nil) }
        let start = buffer.count
        try value.write(to: &buffer)
        ranges.append(start..<buffer.count)
    }

    /// Adds an array of one dimension.
    ///
    /// - Parameters:
    ///   - type: The type of its elements.
    ///   - count: The number of its elements, at least 1.
    ///   - write: A closure that appends an element, after its length, to a buffer. It receives the element's index.
    /// - Throws: Errors thrown by the closure.
    mutating func appendArray(
        of type: PostgresType,
        count: Int,
        _ write: (_ index: Int, _ buffer: inout WireBuffer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let start = buffer.count
        // The number of dimensions, whether there may be NULLs, the type, the count, and the lower bound.
        buffer.append(Int32(1))
        buffer.append(Int32(1))
        buffer.append(type.rawValue)
        buffer.append(Int32(count))
        buffer.append(Int32(1))
        for index in 0..<count { try write(index, &buffer) }
        ranges.append(start..<buffer.count)
    }

    /// The number of bytes that they take.
    var size: Int { buffer.count }

    /// What libpq's functions take: the addresses of the values, their lengths, and their formats (1 is binary).
    typealias Pointers = (
        values: UnsafePointer<UnsafePointer<CChar>?>?, lengths: UnsafePointer<Int32>?, formats: UnsafePointer<Int32>?
    )

    borrowing func withPointers<Result>(_ body: (Int32, Pointers) -> Result) -> Result {
        let start = unsafe buffer.bytes.baseAddress
        let values = unsafe ranges.map { range -> UnsafePointer<CChar>? in
            unsafe range.flatMap { range in
                unsafe start.map { unsafe ($0 + range.lowerBound).assumingMemoryBound(to: CChar.self) }
            }
        }
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: ranges.count)
        return unsafe values.withUnsafeBufferPointer { values in
            unsafe lengths.withUnsafeBufferPointer { lengths in
                unsafe formats.withUnsafeBufferPointer { formats in
                    unsafe body(
                        Int32(ranges.count),
                        (values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    )
                }
            }
        }
    }
}
