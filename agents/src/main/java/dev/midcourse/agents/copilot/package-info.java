/** GitHub Copilot's command line, in its headless mode. */
@NullMarked
package dev.midcourse.agents.copilot;

import org.jspecify.annotations.NullMarked;
