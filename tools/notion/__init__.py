"""Notion: where people see their records."""
