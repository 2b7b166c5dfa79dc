package dev.midcourse.hub.settings;

import dev.midcourse.core.Problem;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.chat.route.StopWords;
import dev.midcourse.core.chat.route.TalkPace;
import dev.midcourse.core.time.TimeZones;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ChatTexts;
import dev.midcourse.engine.conversation.context.ConversationSettings;
import dev.midcourse.hub.settings.toml.ConfigSection;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table {@code [chat]} of the settings file. */
final class ChatSection {
  private static final int MAX_MESSAGES = 1_000;
  private static final int MAX_PACE = 1_000_000_000;

  private ChatSection() {}

  static ChatSettings read(ConfigSection chat, WorkerRegistry workers) {
    ConversationSettings defaults = ChatSettings.defaults().conversations();
    ConfigSection texts = chat.section("texts");
    Map<ChatText, String> replaced = new EnumMap<>(ChatText.class);
    for (ChatText text : ChatText.values()) {
      texts.text(text.key()).ifPresent(other -> replaced.put(text, other));
    }
    texts.noMore();
    Optional<Duration> linger = chat.duration("linger").or(defaults::linger);
    ConversationSettings conversations =
        new ConversationSettings(
            chat.text("timezone", name -> TimeZones.parse("timezone", name))
                .orElse(defaults.zone()),
            chat.number("max_messages_per_prompt", 1, MAX_MESSAGES)
                .orElse(defaults.maxMessagesPerPrompt()),
            linger.filter(Duration::isPositive),
            chat.duration("approval_expires_after").orElse(defaults.approvalLifetime()),
            chat.flag("progress").orElse(defaults.progress()),
            new StopWords(new LinkedHashSet<>(chat.texts("stop_words").orElse(List.of()))),
            new ChatTexts(replaced),
            new TalkPace.Limits(
                chat.number("max_messages_per_minute", 1, MAX_PACE)
                    .orElse(defaults.limits().maxPerMinute()),
                chat.number("max_quick_replies", 1, MAX_PACE)
                    .orElse(defaults.limits().maxQuickReplies())));
    Optional<NamePattern> template = chat.text("new_workers", name -> template(name, workers));
    chat.noMore();
    return new ChatSettings(conversations, template);
  }

  private static NamePattern template(String name, WorkerRegistry workers) {
    NamePattern pattern = NamePattern.of(name);
    boolean declared = workers.workers().stream().anyMatch(it -> it.name().equals(pattern));
    if (!pattern.many() || !declared) {
      throw Problem.invalid(
              "new_workers",
              "a pattern of [workers], such as \"assistant-*\"",
              "new_workers must be a pattern that [workers] declares; got '" + name + "'")
          .refused();
    }
    return pattern;
  }
}
