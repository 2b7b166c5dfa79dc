package dev.midcourse.engine.conversation.context;

import dev.midcourse.core.chat.route.StopWords;
import dev.midcourse.core.chat.route.TalkPace;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The settings of conversations.
 *
 * @param zone the time zone of people who have set none
 * @param maxMessagesPerPrompt how many messages open a run at most, the newest of those that wait
 * @param linger how long an agent stays after its turn, so that the next message needs no start
 * @param approvalLifetime how long a request to let somebody in waits for a decision
 * @param limits how much and how fast one sender may write
 * @param progress whether the progress of runs is shown in their chats
 */
public record ConversationSettings(
    ZoneId zone,
    int maxMessagesPerPrompt,
    Optional<Duration> linger,
    Duration approvalLifetime,
    boolean progress,
    StopWords stopWords,
    ChatTexts texts,
    TalkPace.Limits limits) {
  public static final int DEFAULT_MESSAGES_PER_PROMPT = 10;
  public static final Duration DEFAULT_LINGER = Duration.ofMinutes(10);
  public static final Duration DEFAULT_APPROVAL_LIFETIME = Duration.ofDays(1);

  public static ConversationSettings defaults(ZoneId zone) {
    return new ConversationSettings(
        zone,
        DEFAULT_MESSAGES_PER_PROMPT,
        Optional.of(DEFAULT_LINGER),
        DEFAULT_APPROVAL_LIFETIME,
        true,
        StopWords.always(),
        ChatTexts.DEFAULT,
        TalkPace.Limits.DEFAULT);
  }
}
