package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.chat.question.QuestionId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.json.QuestionCodec;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The tables chat_questions and question_buttons. A question that this version cannot read is left
 * out.
 */
final class QuestionTable {
  private static final String BY_ID = "SELECT body FROM chat_questions WHERE question_id = ?";

  private static final String BY_BUTTON =
      """
      SELECT q.body
      FROM question_buttons b JOIN chat_questions q ON q.question_id = b.question_id
      WHERE b.button_id = ?
      """;

  private static final String BY_CARD = "SELECT body FROM chat_questions WHERE card = ?";

  private static final String OF_RUN =
      "SELECT body FROM chat_questions WHERE run_id = ? ORDER BY asked_at, question_id";

  private static final String NEWEST =
      "SELECT body FROM chat_questions ORDER BY asked_at DESC, question_id LIMIT ?";

  private static final String PUT =
      """
      INSERT INTO chat_questions (question_id, run_id, card, asked_at, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (question_id) DO UPDATE SET
        run_id = excluded.run_id, card = excluded.card, asked_at = excluded.asked_at,
        body = excluded.body
      """;

  private static final String PUT_BUTTON =
      """
      INSERT INTO question_buttons (button_id, question_id) VALUES (?, ?)
      ON CONFLICT (button_id) DO NOTHING
      """;

  private static final String PRUNE =
      """
      DELETE FROM chat_questions WHERE question_id IN (
        SELECT question_id FROM chat_questions WHERE asked_at < ? ORDER BY asked_at LIMIT ?)
      """;

  private QuestionTable() {}

  static Optional<ChatQuestion> byId(SqlSession on, QuestionId id) {
    return one(on, BY_ID, id);
  }

  static Optional<ChatQuestion> byButton(SqlSession on, String button) {
    return one(on, BY_BUTTON, button);
  }

  static Optional<ChatQuestion> byCard(SqlSession on, OutboundId card) {
    return one(on, BY_CARD, card);
  }

  static List<ChatQuestion> ofRun(SqlSession on, RunId run) {
    return on.all(OF_RUN, row -> row.parsed("body", QuestionCodec::decode), run).stream()
        .flatMap(Optional::stream)
        .toList();
  }

  static List<ChatQuestion> newest(SqlSession on, int limit) {
    return on.all(NEWEST, row -> row.parsed("body", QuestionCodec::decode), limit).stream()
        .flatMap(Optional::stream)
        .toList();
  }

  static void put(ChangeRecorder changes, ChatQuestion question) {
    changes.add(
        PUT,
        question.id(),
        question.run(),
        question.card(),
        question.askedAt(),
        QuestionCodec.encode(question));
    for (Button option : question.options()) {
      changes.add(PUT_BUTTON, option.id(), question.id());
    }
  }

  static int prune(SqlSession on, Instant before, int limit) {
    return on.update(PRUNE, before, limit);
  }

  private static Optional<ChatQuestion> one(SqlSession on, String sql, Object value) {
    return on.first(sql, row -> row.parsed("body", QuestionCodec::decode), value)
        .flatMap(found -> found);
  }
}
