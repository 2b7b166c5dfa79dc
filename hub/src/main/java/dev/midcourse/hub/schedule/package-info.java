/**
 * Schedules at the interfaces of the hub: the operations with their permissions, and the HTTP
 * routes. Not here: the MCP tools ({@code hub.mcp}), what happens at a due time ({@code
 * engine.schedule}).
 */
@NullMarked
package dev.midcourse.hub.schedule;

import org.jspecify.annotations.NullMarked;
