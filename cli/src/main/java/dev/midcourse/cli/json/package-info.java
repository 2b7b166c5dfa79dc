/** A small, strict JSON reader and writer: all that commands need, and fast to load. */
@NullMarked
package dev.midcourse.cli.json;

import org.jspecify.annotations.NullMarked;
