"""What all classes together say about each: the hierarchical prior, its nodes, and its laws."""
