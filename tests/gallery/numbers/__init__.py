"""Every number that an exhibit prints, computed anew, one file per document."""
