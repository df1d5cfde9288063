"""./ladder lab: the subjects that can be opened, the page over HTTP, and the runs, each in its own process."""
