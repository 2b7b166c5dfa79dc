package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.chat.card.CardButton;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.ledger.json.ButtonCodec;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table card_buttons. */
final class CardButtonTable {
  private static final String BY_ID =
      """
      SELECT button_id, outbound_id, meaning_kind, meaning, created_at FROM card_buttons
      WHERE button_id = ?
      """;

  private static final String CARDS_OF =
      """
      SELECT DISTINCT outbound_id FROM card_buttons WHERE approval_id = ? ORDER BY outbound_id
      """;

  private static final String PUT =
      """
      INSERT INTO card_buttons (
        button_id, outbound_id, meaning_kind, meaning, approval_id, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String PRUNE = "DELETE FROM card_buttons WHERE created_at < ?";

  private CardButtonTable() {}

  static Optional<CardButton> byId(SqlSession on, String id) {
    return on.first(
        BY_ID,
        row ->
            new CardButton(
                row.text("button_id"),
                row.parsed("outbound_id", OutboundId::of),
                ButtonCodec.decode(row.text("meaning_kind"), row.text("meaning")),
                row.instant("created_at")),
        id);
  }

  static List<OutboundId> cardsOf(SqlSession on, ApprovalId approval) {
    return on.all(CARDS_OF, row -> row.parsed("outbound_id", OutboundId::of), approval);
  }

  static void put(ChangeRecorder changes, CardButton button) {
    changes.add(
        PUT,
        button.id(),
        button.card(),
        ButtonCodec.kindOf(button.meaning()),
        ButtonCodec.encode(button.meaning()),
        approval(button.meaning()),
        button.createdAt());
  }

  private static Optional<ApprovalId> approval(ButtonMeaning meaning) {
    return switch (meaning) {
      case ButtonMeaning.AllowSender it -> Optional.of(it.approval());
      case ButtonMeaning.WireTo it -> Optional.of(it.approval());
      case ButtonMeaning.NameWorker it -> Optional.of(it.approval());
      case ButtonMeaning.Deny it -> Optional.of(it.approval());
      case ButtonMeaning.AnswerAsk _, ButtonMeaning.DirectLoop _, ButtonMeaning.Unknown _ ->
          Optional.empty();
    };
  }

  static void prune(SqlSession on, Instant before) {
    on.update(PRUNE, before);
  }
}
