/** The command {@code autopilot}. What a loop does is decided by the hub, not here. */
@NullMarked
package dev.midcourse.cli.command.loop;

import org.jspecify.annotations.NullMarked;
