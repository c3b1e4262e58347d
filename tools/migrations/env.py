"""What Alembic runs to bring a store up to date: on the connection it is handed, inside the transaction begun there.

Loaded by Alembic alone, and only then does it act.
"""

from __future__ import annotations

from alembic import context

from tools.database import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
