// SPDX-License-Identifier: GPL-2.0
/*
 * Executes the mark that makes the plugin (insns.c) report, and ends. Without
 * a C library: in an emulated guest a start of it would take longest.
 */
#include "mark.h"

#define TEXT(...)	#__VA_ARGS__
#define EXPAND(...)	TEXT(__VA_ARGS__)

#define EXIT_GROUP	231

void _start(void)
{
	asm volatile(".byte " EXPAND(MARK_BYTES));
	asm volatile("syscall" : : "a"(EXIT_GROUP), "D"(0) : "rcx", "r11", "memory");
}
