"""Benchmarks: what is fast, how fast, against what; never a timed test.

Each prints one line a figure. Ratios are taken in one run, both sides in turn, so that they hold on
a busy machine; absolute figures are for this machine and moment. `make bench` runs all of them,
`python -m benchmarks NAME` one.
"""
