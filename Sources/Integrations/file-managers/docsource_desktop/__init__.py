"""What Nautilus, Nemo, Caja and Thunar show of which application a file came from."""
