import Foundation
import Glibc

/// Ends this process with a signal that cannot be caught.
func killThisProcess(after milliseconds: UInt32) {
    Thread.detachNewThread {
        usleep(milliseconds * 1000)
        kill(getpid(), SIGKILL)
    }
}
