package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The table roles. */
final class RoleTable {
  private static final String OF_PERSON =
      """
      SELECT person_id, role, worker, granted_by, granted_at
      FROM roles
      WHERE person_id = ?
      ORDER BY granted_at, role, worker
      """;

  private static final String ALL =
      """
      SELECT person_id, role, worker, granted_by, granted_at
      FROM roles
      ORDER BY granted_at, person_id, role, worker
      """;

  private static final String PUT =
      """
      INSERT INTO roles (person_id, role, worker, granted_by, granted_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (person_id, role, coalesce(worker, '')) DO NOTHING
      """;

  private static final String DELETE =
      "DELETE FROM roles WHERE person_id = ? AND role = ? AND coalesce(worker, '') = ?";

  private RoleTable() {}

  static List<RoleGrant> ofPerson(SqlSession on, PersonId person) {
    return on.all(OF_PERSON, RoleTable::grant, person);
  }

  static List<RoleGrant> all(SqlSession on) {
    return on.all(ALL, RoleTable::grant);
  }

  static void put(ChangeRecorder changes, RoleGrant grant) {
    changes.add(
        PUT, grant.person(), grant.role(), grant.worker(), grant.grantedBy(), grant.grantedAt());
  }

  static void delete(
      ChangeRecorder changes, PersonId person, PersonRole role, Optional<WorkerName> worker) {
    changes.add(DELETE, person, role, worker.map(WorkerName::value).orElse(""));
  }

  private static RoleGrant grant(Row row) throws SQLException {
    return new RoleGrant(
        row.parsed("person_id", PersonId::of),
        row.parsed("role", PersonRole::parse),
        row.optionalParsed("worker", WorkerName::of),
        row.optionalParsed("granted_by", PersonId::of),
        row.instant("granted_at"));
  }
}
