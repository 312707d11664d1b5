"""The browser and programs over the network: pages, a JSON API and Server-Sent Events over the rooms.

FastAPI, Starlette and uvicorn are imported here and nowhere else, and this only by ``noughts serve``.
"""
