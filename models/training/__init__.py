"""Training of the nets: rendering, data, fitting, evaluation."""
