"""The store of records, as rows of the one database.

``memory`` is the port; ``books`` the records and every change to them within a transaction; ``record`` and ``change``
each as a row; ``search``, ``figures``, ``shares`` and ``terms`` answer questions; ``reminders`` are those that are due;
``attachments`` and ``categories`` lie beside the records. Must not know LINE, Notion, or what a model is told.
"""
