@NullMarked
package dev.midcourse.agents.process;

import org.jspecify.annotations.NullMarked;
