/** The command {@code schedule}. When a schedule is due is decided by the hub, not here. */
@NullMarked
package dev.midcourse.cli.command.schedule;

import org.jspecify.annotations.NullMarked;
