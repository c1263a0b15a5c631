"""Sockets to listen on, bound before anything is loaded, so that a taken port is told at once."""

from __future__ import annotations

import socket

from functions.ask.intake import BadInput


def bound(host: str, port: int) -> socket.socket:
    """A bound socket; port 0 takes a free one. Raises ``BadInput`` when the address cannot be had."""
    listener: socket.socket | None = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        if listener is not None:
            listener.close()
        raise BadInput(
            "address_not_free",
            f"Cannot listen on {host} port {port}: {error.strerror or error}.",
            do="Choose another with --port (0 takes a free one) or --host.",
        ) from error
    return listener
