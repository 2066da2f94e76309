"""Why two people have two numbers: what each tool says on the same data, and which rules stand between them."""
