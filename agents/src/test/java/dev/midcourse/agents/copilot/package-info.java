@NullMarked
package dev.midcourse.agents.copilot;

import org.jspecify.annotations.NullMarked;
