"""The laws of xiangqi, in pure Python: positions, moves, notation, rulings."""
