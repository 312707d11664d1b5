"""What all interfaces share in putting games before people; it forms, and shows nothing."""
