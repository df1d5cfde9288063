"""./ladder explain: what is said of the counts that the programs explain.LESSON print as JSON."""
