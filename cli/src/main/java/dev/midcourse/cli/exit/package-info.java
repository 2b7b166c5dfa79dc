/** The end of a command: exit codes and failures. */
@NullMarked
package dev.midcourse.cli.exit;

import org.jspecify.annotations.NullMarked;
