package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.Wiring;
import java.util.Optional;

/**
 * A wiring of the chat, and the state of the conversation to which the message would belong.
 *
 * @param live the run of the conversation that is queued or running
 * @param sticky a permitted person has mentioned the bot in this thread, and nobody has muted it
 * @param debouncing messages of the conversation wait for the end of the debounce, or are collected
 */
public record WiringContext(
    Wiring wiring, Optional<LiveRun> live, boolean sticky, boolean debouncing) {}
