"""What ./ladder lab serves: what can be opened, its page over HTTP, and the runs, each a process of its own."""
