package dev.midcourse.engine.conversation.loop;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;
import java.util.Optional;

/**
 * Where one loop reports, and what it has reported there.
 *
 * @param card the card that is open
 * @param about what the open card is about
 * @param told the end of the loop that was told
 */
record LoopReports(
    ChatAddress to, Optional<OutboundId> card, String about, Optional<Instant> told) {

  static LoopReports begun(ChatAddress to) {
    return new LoopReports(to, Optional.empty(), "", Optional.empty());
  }

  LoopReports withCard(OutboundId newCard, String newAbout) {
    return new LoopReports(to, Optional.of(newCard), newAbout, told);
  }

  LoopReports withoutCard() {
    return new LoopReports(to, Optional.empty(), "", told);
  }

  LoopReports withEnd(Instant at) {
    return new LoopReports(to, card, about, Optional.of(at));
  }

  private static String key(LoopId loop) {
    return "loop.reports." + loop;
  }

  static Optional<LoopReports> of(LedgerReader reading, LoopId loop) {
    return reading
        .setting(key(loop))
        .flatMap(JsonInput::parse)
        .map(it -> (JsonValue.Obj) it)
        .map(LoopReports::decoded);
  }

  private static LoopReports decoded(JsonValue.Obj it) {
    return new LoopReports(
        new ChatAddress(
            ChannelName.of(it.string("channel").orElseThrow()),
            it.string("chat").orElseThrow(),
            it.string("thread")),
        it.string("card").map(OutboundId::of),
        it.string("about").orElse(""),
        it.string("told").map(Instant::parse));
  }

  void store(Transaction tx, LoopId loop) {
    JsonValue.Obj written =
        JsonValue.object()
            .with("channel", to.channel().value())
            .with("chat", to.chat())
            .with("thread", to.thread())
            .with("card", card.map(OutboundId::value))
            .with("about", about)
            .with("told", told.map(Instant::toString));
    tx.putSetting(key(loop), JsonWriter.compact(written));
  }
}
