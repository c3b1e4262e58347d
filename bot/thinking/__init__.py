"""A turn of thought: from a prompt to the final text, with tools in between.

Read ``tool_loop`` first. ``prompt`` and ``foreign`` are what a model is told, ``asking`` and ``budget`` how it is
asked, ``verdict`` what its answer is good for, ``conversation`` the turn as messages, ``tool_arguments`` what a call
says, ``equal_calls`` what was told to the same one before, ``structured_answer`` an answer that is one JSON object.
Must not know which engine answers, which tools there are, or where anything is kept.
"""
