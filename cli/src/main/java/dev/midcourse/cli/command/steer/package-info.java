/**
 * Commands about steers and questions: send, list, change, answer, receipt.
 *
 * <p>How the hub is called is in {@code cli.client}.
 */
@NullMarked
package dev.midcourse.cli.command.steer;

import org.jspecify.annotations.NullMarked;
