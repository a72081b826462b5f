"""Has nothing to say."""
