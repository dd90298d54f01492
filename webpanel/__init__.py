"""The judge's phone and the public page: a small Flask application around one table."""

from webpanel.app import create_app

__all__ = ["create_app"]
