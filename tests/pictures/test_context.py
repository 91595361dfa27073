from tests.support.wanted import WAVES, Drawn


class Definition(Drawn):
    needs = WAVES
