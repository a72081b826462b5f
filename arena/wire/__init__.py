"""The translation between rules values and protobuf messages, and nothing else."""
