"""Cases that come in groups: the population of groups, sums of its means, and the bootstrap over groups."""
