"""The passes that complete the IR, each in a file of its own and in the order that ``pipeline`` runs them."""
