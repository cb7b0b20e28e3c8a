dist_bashcomp_DATA = completions/pm-count completions/pm-dm completions/pm-gen
