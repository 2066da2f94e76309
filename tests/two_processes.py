"""One of two processes that train together over gloo and compute the metric of all queries. Run by test_training.py.

Arguments: the rank, the rendezvous file, the output file.
"""

import json
import sys
import warnings
from datetime import timedelta
from pathlib import Path

import numpy as np
import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

import rankgauge as rg

SHARES = [range(13), range(13, 40)]
"""The queries of each process, in different numbers, so that a mean of means would be wrong."""


def main(rank: int, meeting: str, answer: str) -> None:
    warnings.simplefilter("error")
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", f"file://{meeting}", rank=rank, world_size=2, timeout=timedelta(seconds=300))
    random = torch.Generator().manual_seed(3)
    features = torch.randn(40, 6, 3, generator=random)
    grades = (features.sum(2) + torch.randn(40, 6, generator=random)).round().clamp(0, 3)
    torch.manual_seed(0)
    model = DistributedDataParallel(torch.nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    metric = rg.torchmetrics.Metric(["nDCG@3", "AP"])
    share, epochs = torch.tensor(SHARES[rank]), []
    for _ in range(3):
        for batch in share.chunk(3):
            optimizer.zero_grad()
            (model(features[batch]).squeeze(2) - grades[batch]).square().mean().backward()
            optimizer.step()
            metric(model(features[batch]).squeeze(2).detach(), grades[batch])
        metric.reset()
        with torch.no_grad():
            for batch in share.chunk(2):
                metric.update(model.module(features[batch]).squeeze(2), grades[batch])
            every = model.module(features).squeeze(2).double().numpy()
        result = {name: float(value) for name, value in metric.compute().items()}
        with metric.sync_context():
            interval = metric.averages().interval("AP")
        wanted = rg.evaluate(grades.double().numpy(), every, ["nDCG@3", "AP"])
        epochs.append({name: [result[name], wanted.mean(name)] for name in result})
        epochs[-1]["low"] = [interval.low, wanted.interval("AP").low]
        epochs[-1]["high"] = [interval.high, wanted.interval("AP").high]
        own = metric.averages().count("AP")
        assert own == len(share), "after a sync each process has its own queries again"
        metric.reset()
    assert np.isfinite(every).all()
    Path(answer).write_text(json.dumps(epochs), encoding="utf-8")
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
