"""``rankgauge serve``: the local page. Needs starlette and uvicorn, the extra ``rankgauge[serve]``."""
