import EncryptionPlugin
import GeometryPlugin
import ImagePlugin
import Transformable
import TransformableCommands

TransformableCommand.main { keys in
    try TransformerRegistry {
        GeometryPlugin()
        ImagePlugin()
        EncryptionPlugin(keys: keys)
        Registration.text
    }
}
