"""A progress that keeps all that was reported."""

from pe_explorer.progress import Progress


class RecordedProgress(Progress):
    """All that was heard: the share that was shown then, and what was being done."""

    def __init__(self):
        super().__init__()
        self.reports = []

    def report(self, share, phase=""):
        super().report(share, phase)
        if (self.share, phase) not in self.reports:
            self.reports.append((self.share, phase))
