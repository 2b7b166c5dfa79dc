@NullMarked
package dev.midcourse.agents.claude;

import org.jspecify.annotations.NullMarked;
