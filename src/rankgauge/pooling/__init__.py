"""Pools: which pairs of query and item are judged, how they were chosen, and the sheets on which they are judged."""
