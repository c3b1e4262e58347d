"""Models: each engine answers one request; the loop lives above them."""
