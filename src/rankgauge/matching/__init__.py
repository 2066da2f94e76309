"""Matching: from judgments and rankings in any form to judged rankings, under the rules of a convention."""
