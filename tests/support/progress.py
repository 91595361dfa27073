"""A recorder of progress reports."""

from pe_explorer.progress import Progress


class RecordedProgress(Progress):
    """The recorded reports: the share that was shown, and the description of the work."""

    def __init__(self):
        super().__init__()
        self.reports = []

    def report(self, share, phase=""):
        super().report(share, phase)
        if (self.share, phase) not in self.reports:
            self.reports.append((self.share, phase))
