package import Foundation
package import Transformable

/// Uninitialized memory for the pixels of an image.
///
/// It owns the memory until ``take()`` transfers ownership.
@safe package struct PixelMemory: ~Copyable {
    private let address: UnsafeMutableRawPointer
    package let count: Int

    package init(_ count: Int) throws(TransformerError) {
        guard count > 0, let address = unsafe malloc(count) else { throw .outOfMemory }
        unsafe self.address = address
        self.count = count
    }

    deinit {
        unsafe free(address)
    }

    @unsafe package var start: UnsafeMutableRawPointer { unsafe address }

    /// Returns the pixels, which own their memory.
    package consuming func take() -> Data {
        let result = unsafe Data(bytesNoCopy: address, count: count, deallocator: .free)
        discard self
        return result
    }
}
