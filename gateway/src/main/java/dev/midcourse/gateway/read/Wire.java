package dev.midcourse.gateway.read;

import dev.midcourse.core.WireNames;

/** The format of a request to a model and of its response. */
public enum Wire {
  ANTHROPIC,
  RESPONSES,
  CHAT,
  GEMINI,
  /** No request to a model: a list of models, a count of tokens, or something unknown. */
  OTHER;

  public static Wire of(String method, String target) {
    String path = target.split("\\?", 2)[0];
    if (!method.equals("POST")) {
      return OTHER;
    }
    if (path.endsWith("/messages")) {
      return ANTHROPIC;
    }
    if (path.endsWith("/responses") || path.endsWith("/responses/compact")) {
      return RESPONSES;
    }
    if (path.endsWith("/chat/completions")) {
      return CHAT;
    }
    return path.endsWith(":generateContent") || path.endsWith(":streamGenerateContent")
        ? GEMINI
        : OTHER;
  }

  public String wire() {
    return WireNames.name(this);
  }
}
