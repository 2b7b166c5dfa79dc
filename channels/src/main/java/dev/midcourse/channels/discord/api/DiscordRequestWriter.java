package dev.midcourse.channels.discord.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonValue;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Writes the bodies of requests. No message of the bot notifies anybody by a name in its text. */
public final class DiscordRequestWriter {
  public static final int MAX_TEXT = 2_000;
  public static final JsonValue.Obj NO_MENTIONS =
      JsonValue.object().with("parse", new JsonValue.Arr(List.of()));
  private static final int NO_PREVIEWS = 1 << 2;
  private static final int MAX_NONCE = 25;
  private static final int MAX_LABEL = 80;
  private static final int BUTTONS_OF_ROW = 5;
  private static final int ACTION_ROW = 1;
  private static final int BUTTON = 2;
  private static final int PRIMARY = 1;
  private static final int SECONDARY = 2;

  private DiscordRequestWriter() {}

  /** A new message. The same id gives the same nonce, by which Discord knows a repetition. */
  public static JsonValue.Obj message(OutboundId id, String text, Optional<String> replyTo) {
    JsonValue.Obj body =
        JsonValue.object()
            .with("content", text)
            .with("allowed_mentions", NO_MENTIONS)
            .with("flags", NO_PREVIEWS)
            .with("nonce", nonce(id))
            .with("enforce_nonce", true);
    return replyTo
        .filter(Snowflake::isValid)
        .map(target ->
            body.with(
                "message_reference",
                JsonValue.object().with("message_id", target).with("fail_if_not_exists", false)))
        .orElse(body);
  }

  public static JsonValue.Obj card(OutboundId id, String text, List<Button> buttons) {
    return message(id, text, Optional.empty()).with("components", rows(buttons));
  }

  public static JsonValue.Obj edit(String text) {
    return JsonValue.object().with("content", text).with("allowed_mentions", NO_MENTIONS);
  }

  public static JsonValue.Obj closedCard(String text) {
    return edit(text).with("components", new JsonValue.Arr(List.of()));
  }

  public static String cardText(String title, String markdown) {
    return "**" + title + "**\n" + markdown;
  }

  private static JsonValue.Arr rows(List<Button> buttons) {
    List<JsonValue> rows = new ArrayList<>();
    for (int from = 0; from < buttons.size(); from += BUTTONS_OF_ROW) {
      List<JsonValue> row = new ArrayList<>();
      for (int i = from; i < Math.min(buttons.size(), from + BUTTONS_OF_ROW); i++) {
        row.add(button(buttons.get(i), i == 0 ? PRIMARY : SECONDARY));
      }
      rows.add(
          JsonValue.object().with("type", ACTION_ROW).with("components", new JsonValue.Arr(row)));
    }
    return new JsonValue.Arr(rows);
  }

  private static JsonValue.Obj button(Button button, int style) {
    return JsonValue.object()
        .with("type", BUTTON)
        .with("style", style)
        .with("label", label(button.label()))
        .with("custom_id", button.id());
  }

  private static String label(String text) {
    if (text.isBlank()) {
      return "–";
    }
    if (text.length() <= MAX_LABEL) {
      return text;
    }
    int end = MAX_LABEL - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }

  /** Ids are longer than the 25 characters of a nonce; 150 bits of their hash do not collide. */
  static String nonce(OutboundId id) {
    return hash(id.value()).substring(0, MAX_NONCE);
  }

  /** A digest of the text, of 43 letters and digits, from which the text cannot be read. */
  public static String hash(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
