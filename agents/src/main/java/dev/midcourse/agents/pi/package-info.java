/** pi, driven in its rpc mode. */
@NullMarked
package dev.midcourse.agents.pi;

import org.jspecify.annotations.NullMarked;
