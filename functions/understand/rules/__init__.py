"""The rules that read a masked question, one module for each family of forms."""
