# A server of noughts. See docs/run-a-server.md, section "In a container".
FROM python:3.13-slim AS build
COPY . /source
RUN python -m venv /opt/noughts && /opt/noughts/bin/pip install --no-cache-dir "/source[fast,meet,pictures,postgres,push]"

FROM python:3.13-slim
# The pictures of links need fonts for all four languages.
RUN apt-get update -q && apt-get install -y -q --no-install-recommends fonts-dejavu-core fonts-noto-cjk && \
    rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/noughts noughts
COPY --from=build /opt/noughts /opt/noughts
USER noughts
WORKDIR /var/lib/noughts
ENV PATH=/opt/noughts/bin:$PATH \
    NOUGHTS_DB=/var/lib/noughts/games.db \
    NOUGHTS_HOST=0.0.0.0 \
    NOUGHTS_PORT=8000
VOLUME /var/lib/noughts
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ.get('NOUGHTS_PORT', 8000)}/healthz\", timeout=5)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["noughts"]
CMD ["serve"]
