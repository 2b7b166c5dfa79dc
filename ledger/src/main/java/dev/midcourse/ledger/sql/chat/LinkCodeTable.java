package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.link.LinkCode;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.time.Instant;
import java.util.List;

/** The table link_codes. */
final class LinkCodeTable {
  private static final String ALL =
      "SELECT digest, person_id, expires_at, tries_left FROM link_codes ORDER BY expires_at, digest";

  private static final String PUT =
      """
      INSERT INTO link_codes (digest, person_id, expires_at, tries_left) VALUES (?, ?, ?, ?)
      ON CONFLICT (digest) DO UPDATE SET
        person_id = excluded.person_id, expires_at = excluded.expires_at,
        tries_left = excluded.tries_left
      """;

  private static final String DELETE = "DELETE FROM link_codes WHERE digest = ?";

  private static final String PRUNE = "DELETE FROM link_codes WHERE expires_at < ?";

  private LinkCodeTable() {}

  static List<LinkCode> all(SqlSession on) {
    return on.all(
        ALL,
        row ->
            new LinkCode(
                row.text("digest"),
                row.parsed("person_id", PersonId::of),
                row.instant("expires_at"),
                row.integer("tries_left")));
  }

  static void put(ChangeRecorder changes, LinkCode code) {
    changes.add(PUT, code.digest(), code.person(), code.expiresAt(), code.triesLeft());
  }

  static void delete(ChangeRecorder changes, LinkCode code) {
    changes.add(DELETE, code.digest());
  }

  static void prune(SqlSession on, Instant before) {
    on.update(PRUNE, before);
  }
}
