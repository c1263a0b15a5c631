"""The World Bank's Indicators API: typed client, plugin, and the recorded figures that can stand in for it."""
