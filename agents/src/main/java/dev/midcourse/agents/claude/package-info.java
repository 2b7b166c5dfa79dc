/** The driver of Claude Code, which runs in print mode with stream-json as input and output. */
@NullMarked
package dev.midcourse.agents.claude;

import org.jspecify.annotations.NullMarked;
