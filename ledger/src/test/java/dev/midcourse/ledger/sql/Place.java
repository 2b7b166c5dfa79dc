package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import java.nio.file.Path;
import java.util.List;

/** Where a test's ledger is kept; can be told to another process in words. */
sealed interface Place {
  Ledger open();

  List<String> words();

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
    public List<String> words() {
      return List.of("sqlite", file.toString());
    }
  }

  record Postgres(String url, String user) implements Place {
    @Override
    public Ledger open() {
      return PostgresLedger.open(url, user, "");
    }

    @Override
    public List<String> words() {
      return List.of("postgres", url, user);
    }
  }
}
