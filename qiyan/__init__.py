"""The shell: commands, recorder, journal, pages."""
