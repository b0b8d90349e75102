"""From frames to what happened at the table."""
