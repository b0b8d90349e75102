"""From the bytes of a clock on a cable to what its players did."""
