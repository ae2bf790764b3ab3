"""Shows in Nautilus, Nemo, Caja and Thunar which application a file came from."""
