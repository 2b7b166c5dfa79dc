/** The hands: commands, live view, full-screen view. */
@NullMarked
package dev.midcourse.cli;

import org.jspecify.annotations.NullMarked;
