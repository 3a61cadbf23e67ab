"""What changed between two schemas, and what that means for whom."""
