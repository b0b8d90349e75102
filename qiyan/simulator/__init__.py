"""A table in software: board, pieces, hands, light, camera and clock, with the exact truth of what happened."""
