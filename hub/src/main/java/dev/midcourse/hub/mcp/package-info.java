/** The hub as a set of tools for agents: the Model Context Protocol over HTTP. */
@NullMarked
package dev.midcourse.hub.mcp;

import org.jspecify.annotations.NullMarked;
