"""What several test modules share, and doubles for what tests may not reach: services on the network."""
