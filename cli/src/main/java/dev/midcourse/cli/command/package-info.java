/** The commands, a class for each: what it looks like, what it asks the hub, what it prints. */
@NullMarked
package dev.midcourse.cli.command;

import org.jspecify.annotations.NullMarked;
