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
    return placed(ChatText.QUEUED, position, run);
  }

  /** The acknowledgement of a message that is given to the run together with others. */
  public String collected(int position, String run) {
    return placed(ChatText.COLLECTED, position, run);
  }

  private String placed(ChatText text, int position, String run) {
    return of(text).replace("{position}", Integer.toString(position)).replace("{run}", run);
  }
}
