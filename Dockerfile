# One image for all: workers (`crawl …`), the demo web (`serve …`), and every other scrapy command.
# docs/containers.md says how it is used and what of it was tried.
ARG BASE=docker.io/library/python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d

FROM ${BASE} AS builder
COPY requirements.txt /build/
# Their own tests, headers and sources are a fifth of the libraries; nothing imports them.
RUN python3 -m venv /opt/venv \
 && /opt/venv/bin/python -m pip install --no-cache-dir --no-compile --disable-pip-version-check -r /build/requirements.txt \
 && /opt/venv/bin/python -m pip uninstall --yes --disable-pip-version-check pip \
 && find /opt/venv/lib -type d \( -name tests -o -name test \) -prune -exec rm -rf {} + \
 && rm -rf /opt/venv/lib/python3*/site-packages/pyarrow/include \
 && find /opt/venv/lib -type f \( -name '*.pyx' -o -name '*.pxd' -o -name '*.a' -o -name '*.hpp' \) -delete
COPY . /app
RUN mkdir -p /data/output \
 && /opt/venv/bin/python -m compileall -q /app/crawler_project

FROM ${BASE}
COPY --from=builder /opt/venv /opt/venv
COPY --from=builder /app /app
# A number and not a name, so that Kubernetes and the like can see that it is not root.
COPY --from=builder --chown=10001:10001 /data /data
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    SCRAPY_SETTINGS_MODULE=crawler_project.settings \
    MPLCONFIGDIR=/tmp \
    HOME=/tmp
USER 10001:10001
# Crawls write to output/NAME.
WORKDIR /data
VOLUME /data/output
# The first SIGINT ends a crawl cleanly: pages under way are finished, the rest is given back. Python listens to it
# from its first moment; process 1 would ignore a SIGTERM until Scrapy has set itself up.
STOPSIGNAL SIGINT
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["python3", "/app/docker/healthcheck.py"]
ENTRYPOINT ["scrapy"]
CMD ["--help"]
