"""The web page: figures from the packaged tables, written as files that a browser reads from a folder."""
