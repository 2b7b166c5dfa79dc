/**
 * Commands about runs: start, list, show, follow, restart, stop, dispatch, review, delete.
 *
 * <p>How the hub is called is in {@code cli.client}.
 */
@NullMarked
package dev.midcourse.cli.command.run;

import org.jspecify.annotations.NullMarked;
