"""Pictures of what a lesson's kernel did in an executed run, as SVG."""
