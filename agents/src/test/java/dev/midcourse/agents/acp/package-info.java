@NullMarked
package dev.midcourse.agents.acp;

import org.jspecify.annotations.NullMarked;
