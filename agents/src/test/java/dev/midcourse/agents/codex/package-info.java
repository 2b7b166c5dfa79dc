@NullMarked
package dev.midcourse.agents.codex;

import org.jspecify.annotations.NullMarked;
