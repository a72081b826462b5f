"""The report as web pages, and the replay page: files that open without a server and without a network."""
