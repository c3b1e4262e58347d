"""One file for each version of the schema, in order. A published one is never edited."""
