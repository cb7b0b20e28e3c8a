dist_bashcomp_DATA = completions/pm-count completions/pm-dm completions/pm-gen
dist_bashcomp_DATA += completions/pm-order
dist_bashcomp_DATA += completions/pm-overlap
dist_bashcomp_DATA += completions/pm-decompose
dist_bashcomp_DATA += completions/pm-approx
