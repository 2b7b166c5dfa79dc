package dev.midcourse.ledger.sql.jdbc;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies the numbered migrations that a store does not have yet, in order and in one transaction.
 * Refuses a store that is newer than this program or was made from other migrations, and does not
 * change it.
 */
public final class Migrations {
  /** The version is the position in this list, from 1. Never change a released migration. */
  private static final List<String> NAMES =
      List.of(
          "001-ledger",
          "002-worker-views",
          "003-completions",
          "004-turn-purpose",
          "005-dispatch-keys",
          "006-chats",
          "007-schedules",
          "008-chat-views",
          "009-chat-cards",
          "010-linger",
          "011-outbox-names",
          "012-loops",
          "013-loop-forge-acts",
          "014-merge-queues");

  private static final String HISTORY =
      """
      CREATE TABLE IF NOT EXISTS migrations (
        version    BIGINT PRIMARY KEY,
        name       TEXT NOT NULL,
        checksum   TEXT NOT NULL,
        applied_at BIGINT NOT NULL
      )
      """;

  private static final String APPLIED =
      "SELECT version, name, checksum FROM migrations ORDER BY version";

  private static final String RECORD =
      "INSERT INTO migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)";

  private record Migration(int version, String name, String text, String checksum) {}

  private record Applied(int version, String name, String checksum) {}

  private Migrations() {}

  public static void bring(SqlSession on, Dialect dialect, Instant now) {
    bring(on, dialect, now, NAMES.size());
  }

  /** Brings the store to the schema of the version that knew so many steps. */
  public static void bring(SqlSession on, Dialect dialect, Instant now, int steps) {
    List<Migration> known = known(dialect).subList(0, steps);
    dialect.beginAlone(on);
    on.update(dialect.adapted(HISTORY));
    List<Applied> applied =
        on.all(
            APPLIED,
            row -> new Applied(row.integer("version"), row.text("name"), row.text("checksum")));
    check(applied, known);
    for (Migration next : known.subList(applied.size(), known.size())) {
      for (String statement : SqlScript.statements(dialect.adapted(next.text()))) {
        on.update(statement);
      }
      on.update(RECORD, next.version(), next.name(), next.checksum(), now);
    }
    on.update("COMMIT");
  }

  private static void check(List<Applied> applied, List<Migration> known) {
    if (applied.size() > known.size()) {
      throw unusable(
          "a schema up to " + known.size(),
          "the ledger was written by a newer Midcourse (schema "
              + applied.getLast().version()
              + ", this one knows "
              + known.size()
              + "): upgrade Midcourse, or open another ledger");
    }
    for (int i = 0; i < applied.size(); i++) {
      if (!applied.get(i).checksum().equals(known.get(i).checksum())) {
        throw unusable(
            "a schema made by a released Midcourse",
            "the ledger's schema step "
                + applied.get(i).name()
                + " differs from this Midcourse's: open it with the build that made it, or restore"
                + " a backup");
      }
    }
  }

  private static RuntimeException unusable(String rule, String message) {
    return Problem.of(Code.UNAVAILABLE, "ledger", rule, message).refused();
  }

  private static List<Migration> known(Dialect dialect) {
    return NAMES.stream().map(name -> migration(name, dialect)).toList();
  }

  private static Migration migration(String name, Dialect dialect) {
    String text =
        resource(name + ".sql")
            .or(() -> resource(name + "." + dialect.name() + ".sql"))
            .orElseThrow(() -> new IllegalStateException("no migration " + name));
    return new Migration(NAMES.indexOf(name) + 1, name, text, checksum(text));
  }

  private static Optional<String> resource(String name) {
    try (@Nullable InputStream in =
        Migrations.class.getResourceAsStream("/dev/midcourse/ledger/sql/" + name)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String checksum(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
