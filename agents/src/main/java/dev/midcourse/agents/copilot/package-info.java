/** The driver of the GitHub Copilot CLI, which runs in its headless mode. */
@NullMarked
package dev.midcourse.agents.copilot;

import org.jspecify.annotations.NullMarked;
