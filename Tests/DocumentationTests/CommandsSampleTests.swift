import EncryptionPlugin
import Foundation
import GeometryPlugin
import Testing
import Transformable
import TransformableCommands
import TransformableKeyCommands

@Suite struct CommandsSampleTests {
    /// Compiled and not run, since it ends the process.
    func program() -> Never {
        TransformableCommand.main {
            try TransformerRegistry {
                GeometryPlugin()
                AcmePlugin()
            }
        }
    }

    func programWithKeys() -> Never {
        TransformableCommand.main { keys in
            try TransformerRegistry {
                GeometryPlugin()
                EncryptionPlugin(keys: keys)
                AcmePlugin()
            }
        }
    }

    @Test func inAProcess() throws {
        let output = try FileHandle(forWritingTo: URL(filePath: "/dev/null"))
        let io = CommandIO(output: output.fileDescriptor)
        let arguments = ["encode", "rect", "{{1, 2}, {3, 4}}"]
        #expect(TransformableCommand.run(arguments, io: io) { _ in try TransformerRegistry { GeometryPlugin() } } == 0)
    }

    func run() -> Int32 {
        let status = TransformableCommand.run(["encode", "rect", "{{1, 2}, {3, 4}}"]) {
            try TransformerRegistry { GeometryPlugin() }
        }
        return status
    }

    func runWithKeys() -> Int32 {
        let status = TransformableCommand.run(["keys", "list", "clinic.keys"]) { keys in
            try TransformerRegistry { EncryptionPlugin(keys: keys) }
        }
        return status
    }
}
