"""Helpers of several test files: reference values, samples and gestures."""
