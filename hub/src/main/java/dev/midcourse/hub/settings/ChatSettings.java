package dev.midcourse.hub.settings;

import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.engine.conversation.context.ConversationSettings;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The table {@code [chat]} of the settings file.
 *
 * @param newWorkers the pattern of {@code [workers]} that is the template of new workers: its star
 *     is replaced by the name of the new worker
 */
public record ChatSettings(ConversationSettings conversations, Optional<NamePattern> newWorkers) {

  /** The settings without a file, in the time zone of this machine. */
  public static ChatSettings defaults() {
    return new ChatSettings(
        ConversationSettings.defaults(ZoneId.systemDefault()), Optional.empty());
  }
}
