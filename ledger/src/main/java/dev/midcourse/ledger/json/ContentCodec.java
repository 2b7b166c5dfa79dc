package dev.midcourse.ledger.json;

import dev.midcourse.core.chat.outbound.OutboundContent;

/** Writes the contents of the outbox as JSON objects. The kind of a content is stored beside it. */
public final class ContentCodec {
  private static final KindCodec<OutboundContent> CONTENTS =
      new KindCodec<>(
          OutboundContent.class, OutboundContent.Unknown.class, OutboundContent.Unknown::new);

  private ContentCodec() {}

  public static String kindOf(OutboundContent content) {
    return content instanceof OutboundContent.Unknown unknown
        ? unknown.kind()
        : KindCodec.kind(content.getClass());
  }

  public static String encode(OutboundContent content) {
    return content instanceof OutboundContent.Unknown unknown
        ? unknown.json()
        : JsonCodec.write(content);
  }

  /** The content; {@link OutboundContent.Unknown} if this version cannot read it. */
  public static OutboundContent decode(String kind, String json) {
    return CONTENTS.decode(kind, json);
  }
}
