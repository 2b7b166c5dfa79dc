/** The commands, one class each: spec, requests to the hub, output. */
@NullMarked
package dev.midcourse.cli.command;

import org.jspecify.annotations.NullMarked;
