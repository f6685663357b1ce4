# The image of a release: its binary for Linux, and nothing else.
#
#     .release/build
#     docker build --tag petstore-sandbox .
#     docker run --rm --read-only --publish 127.0.0.1:8080:8080 petstore-sandbox
#
# podman's own image format has no health check, so it builds with:
#
#     podman build --format docker --tag petstore-sandbox .
#
# Flags go after the name of the image; each is also a variable, such as PETSTORE_ADMIN_KEY.
FROM scratch
ARG TARGETARCH
COPY .release/dist/petstore_linux_${TARGETARCH}_*/petstore /petstore
COPY LICENSE /LICENSE
LABEL org.opencontainers.image.title="Petstore sandbox" \
      org.opencontainers.image.description="A realistic pet store over HTTP: in memory, the same at every start, reset by one call" \
      org.opencontainers.image.licenses="MIT"
USER 65532:65532
ENV PETSTORE_ADDR=:8080
EXPOSE 8080
HEALTHCHECK --interval=2s --timeout=2s --start-period=60s CMD ["/petstore", "--wait-ready", "http://127.0.0.1:8080"]
ENTRYPOINT ["/petstore"]
