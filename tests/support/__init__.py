"""What tests share: truths, samples, gestures."""
