import EncryptionPlugin
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import StandardPlugin
import Transformable
import TransformableCommands
import TransformableKeyCommands
import TransformablePostgresCommands
import WebPPlugin

TransformableCommand.withPostgres {
    TransformableCommand.main { keys in
        try TransformerRegistry {
            StandardPlugin()
            GeometryPlugin()
            // Before ImagePlugin, which only recognizes WebP files.
            WebPPlugin(otherFiles: .image)
            ImagePlugin()
            KeyedArchivePlugin()
            EncryptionPlugin(keys: keys)
        }
    }
}
