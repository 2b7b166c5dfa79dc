/**
 * Autopilot loops in chats: where a loop reports, its cards, and the interface through which orders
 * of people are carried out. Not here: the meaning of an order ({@code core.chat.autopilot}), and
 * carrying it out ({@code hub.loop}).
 */
@NullMarked
package dev.midcourse.engine.conversation.loop;

import org.jspecify.annotations.NullMarked;
