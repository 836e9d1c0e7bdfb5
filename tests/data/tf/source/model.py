from tiny import product


def build(x, weights):
    first = product(x, weights)
    return first
