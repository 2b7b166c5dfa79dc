/** Terminal output: text that is sanitized, measured, coloured and put into tables. */
@NullMarked
package dev.midcourse.cli.screen;

import org.jspecify.annotations.NullMarked;
