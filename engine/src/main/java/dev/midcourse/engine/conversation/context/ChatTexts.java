package dev.midcourse.engine.conversation.context;

import java.util.Map;

/** The texts for people, with those that the settings replace. */
public record ChatTexts(Map<ChatText, String> replaced) {
  public static final ChatTexts DEFAULT = new ChatTexts(Map.of());

  public ChatTexts {
    replaced = Map.copyOf(replaced);
  }

  public String of(ChatText text) {
    return replaced.getOrDefault(text, text.template());
  }

  /** The text with {@code {reason}} filled in. */
  public String of(ChatText text, String reason) {
    return of(text).replace("{reason}", reason);
  }

  /** The acknowledgement of a message that waits behind a run. */
  public String queued(int position, String run) {
    return of(ChatText.QUEUED)
        .replace("{position}", Integer.toString(position))
        .replace("{run}", run);
  }
}
