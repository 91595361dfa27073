"""Read a model's `config.json`: the scheme and its parameters for each layer type.

>>> from pe_explorer import configs
>>> fields = {"model_type": "qwen3", "head_dim": 128, "rope_theta": 1e6}
>>> configs.read(fields).schemes["full_attention"]
('rope', {'head_dim': 128, 'rope_theta': 1000000.0, ...})

Versions of transformers read the same file differently; `semantics` selects the version. The
package returns names and parameters of encodings as plain values, but creates no encodings.
"""

from pe_explorer.configs._findings import shorten, sort_by_level
from pe_explorer.configs._model import META, MISTRAL, list_identifying_fields
from pe_explorer.configs._positions import UNKNOWN_CLASS
from pe_explorer.configs._reading import find_changed_versions, read
from pe_explorer.configs._source import (
    LOST_FIELD,
    MAX_BYTES,
    ConfigFile,
    OverriddenConfig,
    describe_foreign_file,
    find_config_path,
    load,
    open_config,
    parse_override,
)
from pe_explorer.configs.semantics import NEW_RULES, SEMANTICS, find_semantics
from pe_explorer.configs.values import (
    CONFIGURATION,
    ERROR,
    LLAMA,
    LLAMA_IF_ROTARY,
    NO_POSITIONS,
    NOTE,
    WARNING,
    ConfigError,
    Configuration,
    ConfigurationMeaning,
    Finding,
    Layers,
    Scheme,
)
