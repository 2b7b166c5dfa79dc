package dev.midcourse.core.chat.route;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How fast one sender has written in one chat. It keeps two programs that take each other for
 * people from talking for ever: it bounds the messages of a minute, and the messages in a row that
 * follow an answer of ours within seconds.
 *
 * @param minute the beginning of the minute that is counted
 * @param inMinute the messages in this minute
 * @param quickReplies the quick replies in a row
 * @param last when the last message came
 * @param pausedUntil until when messages of the sender have no effect
 */
public record TalkPace(
    Instant minute,
    int inMinute,
    int quickReplies,
    Instant last,
    Optional<Instant> pausedUntil,
    SenderPace pace) {
  /** How long a sender is not heard after a limit was reached. */
  public static final Duration PAUSE = Duration.ofMinutes(10);

  /** A person rarely reads an answer and writes the next message in this time. */
  public static final Duration QUICK = Duration.ofSeconds(10);

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /**
   * The limits.
   *
   * @param maxPerMinute the messages of one sender in one chat in a minute
   * @param maxQuickReplies the quick replies in a row
   */
  public record Limits(int maxPerMinute, int maxQuickReplies) {
    public static final Limits DEFAULT = new Limits(300, 30);
    public static final Limits NONE = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** The pace before the first message. */
  public static TalkPace first(Instant now) {
    return new TalkPace(now, 0, 0, now, Optional.empty(), SenderPace.NORMAL);
  }

  /**
   * Counts a message.
   *
   * @param answer when we last wrote in the chat
   */
  public TalkPace next(Instant now, Optional<Instant> answer, Limits limits) {
    boolean sameMinute = Duration.between(minute, now).compareTo(MINUTE) < 0;
    int counted = sameMinute ? inMinute + 1 : 1;
    int quick = quickReplies(now, answer);
    Instant began = sameMinute ? minute : now;
    if (pausedUntil.filter(now::isBefore).isPresent()) {
      return new TalkPace(began, counted, quick, now, pausedUntil, SenderPace.PAUSED);
    }
    if (counted > limits.maxPerMinute() || quick > limits.maxQuickReplies()) {
      return new TalkPace(began, 0, 0, now, Optional.of(now.plus(PAUSE)), SenderPace.LIMIT_REACHED);
    }
    return new TalkPace(began, counted, quick, now, Optional.empty(), SenderPace.NORMAL);
  }

  /** Messages without an answer between them belong to one reply. */
  private int quickReplies(Instant now, Optional<Instant> answer) {
    if (answer.filter(last::isBefore).isEmpty()) {
      return Duration.between(last, now).compareTo(MINUTE) < 0 ? quickReplies : 0;
    }
    boolean isQuick = Duration.between(answer.get(), now).compareTo(QUICK) < 0;
    return isQuick ? quickReplies + 1 : 0;
  }
}
