import EncryptionPlugin
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import Transformable
import TransformableCommands

TransformableCommand.main { keys in
    try TransformerRegistry {
        GeometryPlugin()
        ImagePlugin()
        KeyedArchivePlugin()
        EncryptionPlugin(keys: keys)
        Registration.text
    }
}
