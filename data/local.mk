# Example graphs, and the counts of families.
dist_pkgdata_DATA = data/counts.tsv data/grid_8x8.edges data/hexagon_5.edges \
	data/mycielskian6.mtx data/random_real_12.mtx
