package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The table people. */
final class PersonTable {
  private static final String BY_ID =
      "SELECT person_id, name, zone, created_at FROM people WHERE person_id = ?";

  private static final String BY_IDENTITY =
      """
      SELECT p.person_id, p.name, p.zone, p.created_at
      FROM identities i JOIN people p ON p.person_id = i.person_id
      WHERE i.channel = ? AND i.handle = ?
      """;

  private static final String ALL =
      "SELECT person_id, name, zone, created_at FROM people ORDER BY created_at, person_id";

  private static final String PUT =
      """
      INSERT INTO people (person_id, name, zone, created_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (person_id) DO UPDATE SET
        name = excluded.name, zone = excluded.zone, created_at = excluded.created_at
      """;

  private static final String DELETE = "DELETE FROM people WHERE person_id = ?";

  private PersonTable() {}

  static Optional<Person> byId(SqlSession on, PersonId id) {
    return on.first(BY_ID, PersonTable::person, id);
  }

  static Optional<Person> byIdentity(SqlSession on, Identity identity) {
    return on.first(BY_IDENTITY, PersonTable::person, identity.channel(), identity.handle());
  }

  static List<Person> all(SqlSession on) {
    return on.all(ALL, PersonTable::person);
  }

  static void put(ChangeRecorder changes, Person person) {
    changes.add(PUT, person.id(), person.name(), person.zone(), person.createdAt());
  }

  static void delete(ChangeRecorder changes, PersonId person) {
    changes.add(DELETE, person);
  }

  private static Person person(Row row) throws SQLException {
    return new Person(
        row.parsed("person_id", PersonId::of),
        row.text("name"),
        row.optionalText("zone").flatMap(PersonTable::zone),
        row.instant("created_at"));
  }

  /** A zone that this Java does not know counts as none, so that the person can still be read. */
  private static Optional<ZoneId> zone(String name) {
    try {
      return Optional.of(ZoneId.of(name));
    } catch (DateTimeException unknown) {
      return Optional.empty();
    }
  }
}
