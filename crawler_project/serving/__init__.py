"""A recorded collection of pages, served over HTTP under the names of its hosts.

``virtual_web`` reads the collection, ``server`` answers requests from it, ``thread`` runs a server
beside other code.
"""
