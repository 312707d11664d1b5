"""The web server: pages for the browser, and a JSON API with Server-Sent Events.

FastAPI, Starlette and uvicorn are imported only here, and only ``noughts serve`` imports this package.
"""
