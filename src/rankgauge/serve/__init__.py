"""``rankgauge serve``: the local page. It needs starlette and uvicorn, which ``rankgauge[serve]`` brings."""
