"""Bytes, lines and files, whatever they hold."""
