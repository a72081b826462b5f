"""The only game loop: plays one match between four chairs and turns what bots do wrong into verdicts."""
