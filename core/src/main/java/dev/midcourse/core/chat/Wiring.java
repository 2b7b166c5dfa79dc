package dev.midcourse.core.chat;

import dev.midcourse.core.id.WorkerName;
import java.time.Duration;
import java.time.Instant;

/**
 * A chat connected to a worker, with the rules when the worker engages. A chat and a worker have
 * one wiring at most.
 *
 * @param priority the order of several wirings of a chat: the highest comes first
 * @param onLiveRun what a reply to a live run means
 * @param debounce how long a message that would start a run waits for further ones; zero for not at
 *     all
 */
public record Wiring(
    WiringId id,
    ChatId chat,
    WorkerName worker,
    Engagement engagement,
    SenderScope senderScope,
    IgnoredMessagePolicy ignored,
    SessionMode sessionMode,
    int priority,
    LiveRunPolicy onLiveRun,
    Duration debounce,
    Instant createdAt) {

  /** A wiring with the defaults for its chat. */
  public static Wiring withDefaults(WiringId id, Chat chat, WorkerName worker, Instant now) {
    return new Wiring(
        id,
        chat.id(),
        worker,
        Engagement.defaultFor(chat.kind(), chat.threads()),
        SenderScope.ALL,
        IgnoredMessagePolicy.DROP,
        chat.threads() ? SessionMode.PER_THREAD : SessionMode.SHARED,
        0,
        LiveRunPolicy.STEER,
        Duration.ZERO,
        now);
  }
}
