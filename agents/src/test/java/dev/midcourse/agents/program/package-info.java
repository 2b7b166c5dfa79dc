@NullMarked
package dev.midcourse.agents.program;

import org.jspecify.annotations.NullMarked;
