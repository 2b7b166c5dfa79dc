@NullMarked
package dev.midcourse.agents.git;

import org.jspecify.annotations.NullMarked;
