"""What metrics need beside judgments and rankings."""
