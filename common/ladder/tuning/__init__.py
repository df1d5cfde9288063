"""./ladder tune: which knobs to try, and how fast a lesson is with each."""
