package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.postgres.PostgresDialect;
import dev.midcourse.ledger.sql.postgres.PostgresServer;
import dev.midcourse.ledger.sql.sqlite.SqliteDialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The place of a test's ledger; can be passed to another process as arguments. */
public sealed interface Place {
  Duration TIMEOUT = Duration.ofSeconds(30);

  Ledger open();

  /** Returns the dialect of its store. */
  Dialect dialect();

  List<String> words();

  /** What the driver calls this place. */
  String url();

  /** Does something to the database behind the ledger's back. */
  default void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column of every row, as text. */
  default List<String> ask(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> all = new ArrayList<>();
      while (result.next()) {
        all.add(String.valueOf(result.getString(1)));
      }
      return all;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static Place of(List<String> words) {
    return switch (words.getFirst()) {
      case "sqlite" -> new Sqlite(Path.of(words.get(1)));
      case "postgres" -> new Postgres(words.get(1), words.get(2));
      default -> throw new IllegalArgumentException("no such place: " + words);
    };
  }

  record Sqlite(Path file) implements Place {
    @Override
    public Ledger open() {
      return SqliteLedger.open(file);
    }

    @Override
    public Dialect dialect() {
      return new SqliteDialect(file, TIMEOUT);
    }

    @Override
    public List<String> words() {
      return List.of("sqlite", file.toString());
    }

    @Override
    public String url() {
      return "jdbc:sqlite:" + file.toUri();
    }
  }

  record Postgres(String url, String user) implements Place {
    @Override
    public Ledger open() {
      return PostgresLedger.open(url, user, "");
    }

    @Override
    public Dialect dialect() {
      return new PostgresDialect(new PostgresServer(url, user, "", TIMEOUT));
    }

    @Override
    public List<String> words() {
      return List.of("postgres", url, user);
    }
  }
}
