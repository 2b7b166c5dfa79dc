/** The driver of Codex, which runs as an app server over standard input and output. */
@NullMarked
package dev.midcourse.agents.codex;

import org.jspecify.annotations.NullMarked;
