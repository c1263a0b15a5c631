"""Reading published figures for the recorded answers of Data Commons."""
