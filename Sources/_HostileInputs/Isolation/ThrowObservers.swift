internal import Glibc

/// The functions that observe errors as they are thrown.
enum ThrowObservers {
    /// The runtime's hooks, which Swift Testing sets.
    private static let hooks = ["_swift_willThrow", "_swift_willThrowTypedImpl"]

    /// Removes the observers from this process.
    ///
    /// Swift Testing records a backtrace for every error that is thrown. Internally, the standard library throws one
    /// for each invalid byte of a text, so a megabyte of them would take a minute and look like a slow decoder.
    static func remove() {
        for hook in hooks {
            // Each hook is a pointer or null. Only the single thread of a new child calls this.
            guard let address = unsafe dlsym(nil, hook) else { continue }
            unsafe address.storeBytes(of: nil, as: UnsafeRawPointer?.self)
        }
    }
}
