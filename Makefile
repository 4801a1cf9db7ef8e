# SPDX-License-Identifier: GPL-2.0
# What a person types. What goes into which module is in Kbuild.
#
#   make            build ahci_fast.ko for the running kernel
#   make KDIR=DIR   ... for the kernel whose build folder DIR is
#   make sunxi      build both modules for Debian's kernels of Allwinner boards
#   make ARCH=arm CROSS_COMPILE=arm-linux-gnueabihf- KDIR=DIR
#                   ... for another kernel of such a board
#   make bench      compare it with the stock driver, in a QEMU guest
#   make bench-full the same at length: what it costs as the work grows, charts
#   make test       run every test
#   make vm         boot that guest to a shell
#   make check      static checks
#   make clean      remove what a build left here
#   make help       print this list

KERNEL_MIN := 6.1
KERNEL_MAX := 6.12

# The running kernel's, else the newest installed, a realtime kernel's last
ifndef KDIR
KDIR := $(wildcard /lib/modules/$(shell uname -r)/build/Makefile)
ifeq ($(KDIR),)
installed := $(shell ls -d /lib/modules/*/build/Makefile 2>/dev/null | sort -rV)
KDIR := $(firstword $(foreach d,$(installed),$(if $(findstring -rt-,$(d)),,$(d))) $(installed))
endif
KDIR := $(patsubst %/Makefile,%,$(KDIR))
endif
# Debian's headers, and any built tree, say for which processor they are
config_arch = $(shell sed -n 's/^CONFIG_\(ARM\|ARM64\|X86\)=y$$/\L\1/p' $(KDIR)/.config 2>/dev/null)
this_arch = $(shell echo $(or $(ARCH),$$(uname -m)) | sed '/^arm64$$/!s/^arm.*/arm/; s/^aarch64.*/arm64/; s/^i.86$$\|^x86_64$$/x86/')
release = $(shell sed -n 's/.*UTS_RELEASE "\(.*\)".*/\1/p' $(KDIR)/include/generated/utsrelease.h 2>/dev/null)

all: modules

modules: | kdir
	@echo "ahci_fast: building for $(release) ($(KDIR))$(if $(filter $(shell uname -r),$(release)),,: not the running kernel)"
	@rm -f ahci_sunxi_fifo.ko	# one of another architecture, if this has none
	$(MAKE) --no-print-directory -C $(KDIR) M=$(CURDIR) modules

# One line says what is missing, before the kernel's build says it in fifty
kdir:
	@test -n "$(KDIR)" || { echo "ahci_fast: no kernel headers found; install linux-headers-$$(uname -r) or linux-headers-amd64, or give KDIR=" >&2; exit 1; }
	@test -n "$(release)" || { echo "ahci_fast: $(KDIR) holds no kernel headers; install linux-headers-$$(uname -r) or linux-headers-amd64, or give another KDIR=" >&2; exit 1; }
	@test -z "$(config_arch)" -o "$(config_arch)" = "$(this_arch)" || { echo "ahci_fast: $(KDIR) is for $(config_arch), not $(this_arch); give ARCH=$(config_arch) and CROSS_COMPILE=, or another KDIR=" >&2; exit 1; }
	@scripts/kernel-range $(KERNEL_MIN) $(KERNEL_MAX) "$(release)"

sunxi:
	@scripts/deps --boards
	@scripts/sunxi

test:
	@scripts/deps --boards
	@tests/run

check:
	@scripts/deps --boards
	@scripts/check

bench:
	@scripts/deps
	@scripts/bench/run $(KERNEL)

bench-full:
	@scripts/deps
	@scripts/bench/full $(KERNEL)

vm:
	@scripts/deps
	@scripts/vm $(KERNEL)

help:
	@sed -n 's/^#   //p' Makefile

clean:
	@rm -rf .tmp_versions .module-common.o .*.cmd *.o *.ko *.mod *.mod.c \
		.*.o.cmd .*.ko.cmd .*.mod.cmd .*.o.d modules.order Module.symvers \
		.checkpatch-camelcase.*

.PHONY: all modules kdir sunxi test check bench bench-full vm help clean
