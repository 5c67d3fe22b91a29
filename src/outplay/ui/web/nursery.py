"""What every worker needs, imported once in the process from which they are forked."""

import outplay.ui.web.worker  # noqa: F401
from outplay.ui.web.catalogue import Catalogue

Catalogue().describe()  # imports every game
