"""The UN's database of the Sustainable Development Goals."""
