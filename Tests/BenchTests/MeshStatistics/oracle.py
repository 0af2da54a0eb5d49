"""Makes Vectors.swift: figures of confseq 0.0.11 (PyPI), numpy and scipy, which the tests compare with.

Only the Python part of confseq is read, from its unpacked source archive:

    pip download --no-deps --no-binary :all: confseq==0.0.11   # unpack it
    python3 oracle.py PATH/confseq-0.0.11/src > Vectors.swift && swift format -i Vectors.swift

Made with numpy 2.4.6 and scipy 1.17.1. matplotlib and multiprocess, which confseq imports for plots and for several
processes, are not needed here and are replaced by empty modules.
"""
import math
import sys
import types

import numpy as np
import scipy.stats

np.float_ = np.float64  # Its name before numpy 2, which confseq uses in annotations.
for name in ["matplotlib", "matplotlib.pyplot", "multiprocess"]:
    sys.modules[name] = types.ModuleType(name)
package = types.ModuleType("confseq")  # Without __init__, which would load the C++ part.
package.__path__ = [sys.argv[1] + "/confseq"]
sys.modules["confseq"] = package
from confseq.betting import betting_cs, betting_mart, hedged_cs  # noqa: E402
from confseq.betting_strategies import lambda_predmix_eb  # noqa: E402

MASK = (1 << 64) - 1


class RandomStream:
    """SplitMix64, as in the module MeshTime."""

    def __init__(self, state):
        self.state = state

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def unit(self):
        return (self.next() >> 11) * 2.0**-53


def bernoulli(seed, n):
    r = RandomStream(seed)
    return [1.0 if r.unit() < 0.3 else 0.0 for _ in range(n)]


def uniform(seed, n):
    r = RandomStream(seed)
    return [r.unit() for _ in range(n)]


def narrow(seed, n):
    r = RandomStream(seed)
    return [0.5 + (r.unit() - 0.45) / 16 for _ in range(n)]


KINDS = {"bernoulli": bernoulli, "uniform": uniform, "narrow": narrow}


def ends(x, alpha, trunc):
    """The interval at the last observation, by bisection of confseq's own capital instead of its grid."""

    def capital(m, theta):
        f = lambda x, m: lambda_predmix_eb(x, alpha=alpha / 2)
        return betting_mart(
            x, m, alpha=alpha, lambdas_fn_positive=f, lambdas_fn_negative=f, theta=theta, trunc_scale=trunc
        )[-1]

    def bisect(out, inside, theta):
        if capital(out, theta) <= 2 / alpha:
            return out
        for _ in range(48):
            middle = (out + inside) / 2
            if capital(middle, theta) > 2 / alpha:
                out = middle
            else:
                inside = middle
        return out

    return bisect(0.0, 1.0, 1), bisect(1.0, 0.0, 0)


def row(*values):
    return "        .init(" + ", ".join(values) + "),"


def sequence(kind, seed, n, alpha, trunc=0.5):
    x = np.array(KINDS[kind](seed, n))
    bets = lambda_predmix_eb(x, alpha=alpha / 2)
    fns = lambda x, m: lambda_predmix_eb(x, alpha=alpha / 2)
    logs = []
    for m in [0.25, 0.5, 0.7]:
        for theta in [1, 0]:
            mart = betting_mart(
                x, m, alpha=alpha, lambdas_fn_positive=fns, lambdas_fn_negative=fns, theta=theta, trunc_scale=trunc
            )
            logs.append(math.log(mart[-1]))
    lower, upper = ends(x, alpha, trunc)
    grid = betting_cs(x, alpha=alpha, trunc_scale=trunc)
    if trunc == 0.5:
        # hedged_cs is the same process; it only intersects the intervals of all earlier observations.
        hedged = hedged_cs(x, alpha=alpha, running_intersection=False)
        assert hedged[0][-1] == grid[0][-1] and hedged[1][-1] == grid[1][-1]
    return row(
        f"kind: .{kind}", f"seed: {seed}", f"count: {n}", f"alpha: {alpha!r}", f"stake: {trunc!r}",
        f"lastBet: {float(bets[-1])!r}", f"betSum: {float(np.sum(bets))!r}",
        f"capitals: [{', '.join(repr(v) for v in logs)}]",
        f"lower: {lower!r}", f"upper: {upper!r}",
        f"gridLower: {float(grid[0][-1])!r}", f"gridUpper: {float(grid[1][-1])!r}",
    )


def sample(values):
    x = np.array(values)
    q = [float(np.quantile(x, p)) for p in [0, 0.1, 0.25, 0.5, 0.9, 0.99, 1]]
    # Both by their definitions over all pairs, not by the sorted formula that is tested.
    gini = float(np.abs(x[:, None] - x[None, :]).mean() / (2 * x.mean()))
    s = np.sort(x)
    lorenz = np.concatenate([[0], np.cumsum(s) / s.sum()])
    top = 1 - float(np.interp(0.9 * len(x), np.arange(len(x) + 1), lorenz))
    return row(
        f"values: {values!r}", f"mean: {float(x.mean())!r}", f"quantiles: {q!r}", f"gini: {gini!r}",
        f"topTenth: {top!r}",
    )


def distance(u, uw, v, vw):
    w = float(scipy.stats.wasserstein_distance(u, v, uw, vw))
    return row(f"first: {u!r}", f"firstWeights: {uw!r}", f"second: {v!r}", f"secondWeights: {vw!r}",
               f"wasserstein: {w!r}")


def elementary():
    numbers = [5e-324, 1e-300, 1e-9, 0.1, 0.5, 0.7071, 0.99999, 1.0, 1.0000001, 1.4143, 2.0, 2.718, 10.0, 1e6, 1.7e308]
    powers = [-745.0, -700.5, -20.25, -1.0, -0.3466, -1e-9, 0.0, 1e-9, 0.3466, 1.0, 9.75, 300.125, 709.5]
    # Swift refuses decimal literals of subnormal numbers.
    text = lambda v: v.hex() if 0 < v < 2.3e-308 else repr(v)
    logs = ", ".join(f"({text(n)}, {math.log(n)!r})" for n in numbers)
    exps = ", ".join(f"({p!r}, {text(math.exp(p))})" for p in powers)
    return f"    static let logarithms: [(Double, Double)] = [{logs}]\n" \
           f"    static let exponentials: [(Double, Double)] = [{exps}]"


def rounded(seed, n, scale):
    r = RandomStream(seed)
    return [round(-math.log(1 - r.unit()) * scale, 3) for _ in range(n)]


print("// Made by oracle.py beside this file, with confseq 0.0.11, numpy 2.4.6 and scipy 1.17.1.")
print("enum Vectors {")
print("    static let sequences: [SequenceVector] = [")
for args in [
    ("bernoulli", 1, 1, 0.05), ("bernoulli", 1, 10, 0.05), ("bernoulli", 2, 100, 0.05), ("bernoulli", 3, 1000, 0.005),
    ("uniform", 4, 50, 0.05), ("uniform", 5, 400, 0.01), ("uniform", 6, 1000, 1e-6), ("narrow", 7, 100, 0.05),
    ("narrow", 8, 1000, 0.05), ("narrow", 8, 1000, 0.05, 0.9), ("bernoulli", 3, 1000, 0.005, 0.25),
]:
    print(sequence(*args))
print("    ]\n    static let samples: [SampleVector] = [")
for values in [[3.0], [1.0, 2.0], [0.1, 0.3], [0.0, 0.0, 0.0, 5.0], [2.5] * 7, rounded(11, 25, 3), rounded(12, 40, 100), uniform(15, 30),
               uniform(16, 12)]:
    print(sample(values))
print("    ]\n    static let distances: [DistanceVector] = [")
ones = lambda n: [1.0] * n
for args in [
    ([1.0], [1.0], [4.0], [1.0]), ([0.0, 1.0, 3.0], ones(3), [5.0, 6.0, 8.0], ones(3)),
    ([1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 3.0, 4.0, 5.0], [1.0, 5.0, 2.5, 0.25]),
    (rounded(13, 20, 2), ones(20), rounded(14, 33, 2), ones(33)),
    ([2.0, -1.0, 2.0], [1.0, 2.0, 1.0], [2.0, -1.0], [2.0, 2.0]),
]:
    print(distance(*args))
print("    ]")
print(elementary())
print("}")
