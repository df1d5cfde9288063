"""./ladder explain: turns the counts that the programs explain.LESSON print as JSON into a report."""
