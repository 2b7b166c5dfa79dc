@NullMarked
package dev.midcourse.agents.opencode;

import org.jspecify.annotations.NullMarked;
