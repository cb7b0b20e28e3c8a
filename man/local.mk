dist_man1_MANS = man/pm-count.1 man/pm-dm.1 man/pm-gen.1
dist_man5_MANS = man/pm-checkpoint.5 man/pm-stream.5
man7_MANS = man/pmkit.7 man/pmkit-tutorial.7
# The tutorial is written once, in Markdown.
man/pmkit-tutorial.7: doc/tutorial.md build-aux/manual.awk
	$(AM_V_GEN)$(MKDIR_P) man && $(AWK) -v page=pmkit-tutorial -f $(srcdir)/build-aux/manual.awk \
	  $(srcdir)/doc/tutorial.md > $@.tmp && mv $@.tmp $@
CLEANFILES += man/pmkit-tutorial.7
dist_man1_MANS += man/pm-order.1
dist_man1_MANS += man/pm-overlap.1
dist_man1_MANS += man/pm-decompose.1
dist_man1_MANS += man/pm-approx.1
