"""Train a Keras model with early stopping by a metric, and evaluate it with rg.evaluate after every epoch.

``test_training.py`` calls it under one backend and runs it in another process under the other.
"""

import json
import sys
import warnings
from pathlib import Path


def train(folder):
    """The values in the history of Keras, the same from predictions, and the best epoch of each."""
    import keras
    import numpy as np

    import rankgauge as rg

    random = np.random.default_rng(4)
    features = random.normal(size=(90, 6, 3)).astype(np.float32)
    grades = np.clip(np.round(features.sum(2) + random.normal(size=(90, 6))), 0, 3).astype(np.float32)
    grades[np.arange(6) >= random.integers(2, 7, (90, 1))] = -1
    validation = slice(60, 90)
    there = grades[validation] != -1

    keras.utils.set_random_seed(2)
    metric = rg.keras.Metric("nDCG@3", convention=rg.Convention(gain={0: 0, 1: 1, 2: 2, 3: 5}), padding=-1)
    shape = keras.layers.Input((6, 3))
    model = keras.Model(shape, keras.layers.Reshape((6,))(keras.layers.Dense(1)(shape)))
    model.compile(keras.optimizers.SGD(0.5), "mse", metrics=[metric])
    wanted = []

    class Evaluate(keras.callbacks.Callback):
        def on_epoch_end(self, *_):
            scores = model.predict(features[validation], verbose=0).astype(np.float64)
            result = rg.evaluate(
                grades[validation][there],
                scores[there],
                "nDCG@3",
                convention=metric.convention,
                query_ids=np.nonzero(there)[0],
            )
            wanted.append(result.mean("nDCG@3"))

    stopping = keras.callbacks.EarlyStopping("val_nDCG@3", patience=2, restore_best_weights=True)
    history = model.fit(
        features[:60],
        grades[:60],
        validation_data=(features[validation], grades[validation]),
        epochs=8,
        batch_size=16,
        verbose=0,
        callbacks=[Evaluate(), stopping],
    ).history["val_nDCG@3"]
    model.evaluate(features[validation], grades[validation], verbose=0)
    averages = metric.averages()
    path = Path(folder) / "model.keras"
    model.save(path)
    again = keras.saving.load_model(path).evaluate(features[validation], grades[validation], verbose=0)[1]
    return {
        "backend": keras.backend.backend(),
        "history": history,
        "wanted": wanted,
        "best": stopping.best_epoch,
        "mean": averages.mean("nDCG@3"),
        "count": averages.count("nDCG@3"),
        "again": again,
    }


if __name__ == "__main__":
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "__array__ implementation doesn't accept a copy keyword", DeprecationWarning)
    sys.stdout.write(json.dumps(train(sys.argv[1])))
