"""Imports what every worker needs, once, in the process from which workers are forked."""

import outplay.ui.web.worker  # noqa: F401
from outplay.ui.web.catalogue import Catalogue

Catalogue().describe()  # imports every game
