/** The driver of pi, which runs in its rpc mode. */
@NullMarked
package dev.midcourse.agents.pi;

import org.jspecify.annotations.NullMarked;
