"""A receiver in the shape that samples of the SDK show: the parser in the handler. It answers 5xx to much of what a
stranger may send, and so shows that what is sent here bites.

Must not know what it is sent.
"""

from __future__ import annotations

from fastapi import FastAPI, HTTPException, Request
from linebot.v3 import WebhookParser
from linebot.v3.exceptions import InvalidSignatureError
from linebot.v3.webhooks import MessageEvent


def create_sample(secret: str) -> FastAPI:
    app = FastAPI()
    parser = WebhookParser(secret)

    @app.post("/callback")
    async def callback(request: Request) -> str:
        signature = request.headers["X-Line-Signature"]
        body = (await request.body()).decode()
        try:
            events = parser.parse(body, signature)
        except InvalidSignatureError:
            raise HTTPException(status_code=400, detail="Invalid signature") from None
        for event in events:
            if isinstance(event, MessageEvent):
                assert event.source
        return "OK"

    return app
