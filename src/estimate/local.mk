libpm_a_SOURCES += \
	src/estimate/block.c \
	src/estimate/block.h \
	src/estimate/certify.c \
	src/estimate/certify.h \
	src/estimate/choose.c \
	src/estimate/choose.h \
	src/estimate/estimate.c \
	src/estimate/estimate.h \
	src/estimate/estimate_draw.c \
	src/estimate/estimate_ledger.c \
	src/estimate/estimate_update.c \
	src/estimate/estimation.h \
	src/estimate/expression_spread.c \
	src/estimate/expression_tree.c \
	src/estimate/expression_tree.h \
	src/estimate/guarantee.c \
	src/estimate/guarantee.h \
	src/estimate/guarantee_plan.c \
	src/estimate/guarantee_stages.h \
	src/estimate/interval.c \
	src/estimate/interval.h \
	src/estimate/item_bounds.c \
	src/estimate/item_bounds.h \
	src/estimate/log_count.c \
	src/estimate/log_count.h \
	src/estimate/sampler_registry.c \
	src/estimate/sampler_registry.h
