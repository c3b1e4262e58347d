"""Notion: where people see and edit their records, and the copy from which the store can be rebuilt."""
