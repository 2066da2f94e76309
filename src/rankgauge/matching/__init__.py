"""From judgments and rankings to Judged, under the rules of a convention."""
