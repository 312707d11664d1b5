"""Programs of others: each in a process of its own, spoken to in lines, held to limits."""
