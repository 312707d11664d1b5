"""What programs of others say and are told, as text: no reading, no clock, no processes."""
