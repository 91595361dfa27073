"""Other functions in the place of those that compute the picture of one view."""


def compute_with(view, compute):
    """Let a view, and no other, compute its picture with another function."""
    own = view.picture
    view.picture = type(own.__name__, (own,), {"compute": staticmethod(compute)})
