"""Train a ranker with Lightning: a rankgauge metric for validation and early stopping, and an interval at the end.

Run: ``python examples/lightning_ranker.py``. The data are generated from fixed seeds: lists of different lengths,
padded, with a mask. Needs torch, lightning and torchmetrics.
"""

from __future__ import annotations

import lightning
import torch
from lightning.pytorch.callbacks import Callback, EarlyStopping
from torch.utils.data import DataLoader, TensorDataset

import rankgauge as rg

QUERIES, ITEMS, FEATURES = 200, 12, 8


def lists(seed: int) -> TensorDataset:
    """Generate features, grades from 0 to 3 and a mask for each list."""
    random = torch.Generator().manual_seed(seed)
    features = torch.randn(QUERIES, ITEMS, FEATURES, generator=random)
    weights = torch.randn(FEATURES, generator=torch.Generator().manual_seed(0))
    noise = 2 * torch.randn(QUERIES, ITEMS, generator=random)
    grades = ((features @ weights + noise) / 2).round().clamp(0, 3)
    mask = torch.arange(ITEMS) < torch.randint(3, ITEMS + 1, (QUERIES, 1), generator=random)
    return TensorDataset(features, grades, mask)


class Ranker(lightning.LightningModule):
    """A small network that scores items, trained with a listwise softmax loss."""

    def __init__(self) -> None:
        super().__init__()
        self.network = torch.nn.Sequential(torch.nn.Linear(FEATURES, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
        self.nDCG = rg.torchmetrics.Metric("nDCG@10", convention=rg.Convention(gain="exp2"))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return a score for each item."""
        return self.network(features).squeeze(-1)

    def training_step(self, batch: list[torch.Tensor], _: int) -> torch.Tensor:
        """Return the cross entropy between the gains and the scores of each list."""
        features, grades, mask = batch
        scores = self(features).masked_fill(~mask, -torch.inf)
        gains = ((2**grades - 1) * mask).clamp(min=1e-6)
        shares = gains / gains.sum(1, keepdim=True)
        return -(shares * scores.log_softmax(1).masked_fill(~mask, 0)).sum(1).mean()

    def validation_step(self, batch: list[torch.Tensor], _: int) -> None:
        """Update the metric; Lightning computes it over all processes and resets it."""
        features, grades, mask = batch
        self.nDCG.update(self(features), grades, mask=mask)
        self.log("nDCG@10", self.nDCG)

    def configure_optimizers(self) -> torch.optim.Optimizer:
        """Return an optimiser with a high learning rate, so that early stopping takes effect."""
        return torch.optim.Adam(self.parameters(), lr=0.05)


def train(*callbacks: Callback) -> tuple[Ranker, EarlyStopping]:
    """Train until nDCG@10 on the validation lists has not improved for three epochs."""
    lightning.seed_everything(1, verbose=False)
    stopping = EarlyStopping("nDCG@10", mode="max", patience=3)
    trainer = lightning.Trainer(
        max_epochs=30,
        accelerator="cpu",
        devices=1,
        callbacks=[stopping, *callbacks],
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
    )
    model = Ranker()
    trainer.fit(model, DataLoader(lists(1), batch_size=50, shuffle=True), DataLoader(lists(2), batch_size=64))
    return model, stopping


def report(model: Ranker) -> None:
    """Print nDCG@10 on test lists, with its confidence interval."""
    features, grades, mask = lists(3).tensors
    model.nDCG.reset()
    with torch.no_grad():
        model.nDCG.update(model(features), grades, mask=mask)
    test = model.nDCG.averages()
    low, high = test.interval("nDCG@10")
    print(f"nDCG@10 on {test.count('nDCG@10')} test lists: {test.mean('nDCG@10'):.4f} ({low:.4f} to {high:.4f})")


def main() -> None:
    """Train and report."""
    model, stopping = train()
    print(f"best validation nDCG@10: {float(stopping.best_score):.4f}")
    report(model)


if __name__ == "__main__":
    main()
