/**
 * Autopilot loops in chats: what the argument of {@code /autopilot} and a reply to a card mean, and
 * what people are asked and told. Not here: what a loop does ({@code core.loop.step}), and sending.
 */
@NullMarked
package dev.midcourse.core.chat.autopilot;

import org.jspecify.annotations.NullMarked;
