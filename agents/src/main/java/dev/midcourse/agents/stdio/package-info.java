/** The common ground of every agent that is spoken to over its standard input and output. */
@NullMarked
package dev.midcourse.agents.stdio;

import org.jspecify.annotations.NullMarked;
