package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.util.List;

/** The table identities. */
final class IdentityTable {
  private static final String OF_PERSON =
      """
      SELECT channel, handle, person_id, display_name, linked_at
      FROM identities
      WHERE person_id = ?
      ORDER BY linked_at, channel, handle
      """;

  private static final String PUT =
      """
      INSERT INTO identities (channel, handle, person_id, display_name, linked_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (channel, handle) DO UPDATE SET
        person_id = excluded.person_id, display_name = excluded.display_name,
        linked_at = excluded.linked_at
      """;

  private static final String DELETE = "DELETE FROM identities WHERE channel = ? AND handle = ?";

  private IdentityTable() {}

  static List<LinkedIdentity> ofPerson(SqlSession on, PersonId person) {
    return on.all(OF_PERSON, IdentityTable::identity, person);
  }

  static void put(ChangeRecorder changes, LinkedIdentity linked) {
    changes.add(
        PUT,
        linked.identity().channel(),
        linked.identity().handle(),
        linked.person(),
        linked.displayName(),
        linked.linkedAt());
  }

  static void delete(ChangeRecorder changes, Identity identity) {
    changes.add(DELETE, identity.channel(), identity.handle());
  }

  private static LinkedIdentity identity(Row row) throws SQLException {
    return new LinkedIdentity(
        new Identity(row.parsed("channel", ChannelName::of), row.text("handle")),
        row.parsed("person_id", PersonId::of),
        row.text("display_name"),
        row.instant("linked_at"));
  }
}
