import EncryptionPlugin
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import StandardPlugin
import Transformable
import TransformableCommands
import TransformableKeyCommands

TransformableCommand.main { keys in
    try TransformerRegistry {
        StandardPlugin()
        GeometryPlugin()
        ImagePlugin()
        KeyedArchivePlugin()
        EncryptionPlugin(keys: keys)
    }
}
