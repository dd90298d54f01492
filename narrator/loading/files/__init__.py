"""Files: YAML with lines, their form, and the records of a journal."""
