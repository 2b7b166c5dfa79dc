/**
 * What Discord delivers, by its gateway and history: connection, stored position, readers of its
 * JSON, and clicks. Not here: what a message means ({@code core.chat.route}).
 */
@NullMarked
package dev.midcourse.channels.discord.gateway;

import org.jspecify.annotations.NullMarked;
