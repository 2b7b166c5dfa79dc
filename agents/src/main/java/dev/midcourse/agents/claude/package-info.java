/** Claude Code, driven in its print mode with stream-json both ways. */
@NullMarked
package dev.midcourse.agents.claude;

import org.jspecify.annotations.NullMarked;
