"""SVG pictures of what a lesson's kernel did in a run."""
