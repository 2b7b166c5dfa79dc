package dev.midcourse.ledger.json;

import dev.midcourse.core.chat.card.ButtonMeaning;

/** Writes the meanings of buttons as JSON objects. The kind of a meaning is stored beside it. */
public final class ButtonCodec {
  private static final KindCodec<ButtonMeaning> MEANINGS =
      new KindCodec<>(ButtonMeaning.class, ButtonMeaning.Unknown.class, ButtonMeaning.Unknown::new);

  private ButtonCodec() {}

  public static String kindOf(ButtonMeaning meaning) {
    return meaning instanceof ButtonMeaning.Unknown unknown
        ? unknown.kind()
        : KindCodec.kind(meaning.getClass());
  }

  public static String encode(ButtonMeaning meaning) {
    return meaning instanceof ButtonMeaning.Unknown unknown
        ? unknown.json()
        : JsonCodec.write(meaning);
  }

  /** The meaning; {@link ButtonMeaning.Unknown} if this version cannot read it. */
  public static ButtonMeaning decode(String kind, String json) {
    return MEANINGS.decode(kind, json);
  }
}
