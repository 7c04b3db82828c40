"""Order and settings: the flows, the settings file and the command line; nothing is computed
here.
"""
