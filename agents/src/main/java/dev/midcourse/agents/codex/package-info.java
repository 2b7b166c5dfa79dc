/** Codex, driven as an app server over its standard input and output. */
@NullMarked
package dev.midcourse.agents.codex;

import org.jspecify.annotations.NullMarked;
