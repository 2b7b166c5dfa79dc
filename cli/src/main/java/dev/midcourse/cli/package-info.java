/** The command line: entry point, and the packages for commands, live view and full-screen view. */
@NullMarked
package dev.midcourse.cli;

import org.jspecify.annotations.NullMarked;
