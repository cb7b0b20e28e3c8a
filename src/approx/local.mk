libpm_a_SOURCES += \
	src/approx/block.c src/approx/block.h \
	src/approx/choose.c src/approx/choose.h \
	src/approx/estimate.c src/approx/estimate.h \
	src/approx/expression.c src/approx/expression.h \
	src/approx/interval.h \
	src/approx/moments.h \
	src/approx/sampler.h
