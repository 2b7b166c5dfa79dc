/**
 * The Model Context Protocol over HTTP: the operations of the hub as tools for an agent that leads
 * others or takes part in a conversation, and notices for a lead.
 *
 * <p>A tool is carried out by {@code HubOperations}, like a request over HTTP.
 */
@NullMarked
package dev.midcourse.hub.mcp;

import org.jspecify.annotations.NullMarked;
