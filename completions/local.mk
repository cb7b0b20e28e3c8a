dist_bashcomp_DATA = completions/pm-count completions/pm-gen
