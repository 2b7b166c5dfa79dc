@NullMarked
package dev.midcourse.agents.stdio;

import org.jspecify.annotations.NullMarked;
