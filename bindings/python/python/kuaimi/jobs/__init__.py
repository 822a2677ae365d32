"""Programs for clusters. Each is a file that spark-submit takes.

They have a folder of their own: Python looks for modules beside the program that it runs, and would take Kuaimi's for others of their names.
"""
