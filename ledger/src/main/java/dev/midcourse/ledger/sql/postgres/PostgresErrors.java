package dev.midcourse.ledger.sql.postgres;

import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Maps the errors of PostgreSQL to refusals. */
final class PostgresErrors {
  private PostgresErrors() {}

  static RuntimeException refusal(SQLException error) {
    if (error instanceof SQLTransientConnectionException || lost(error)) {
      return StoreErrors.unavailable(
          error,
          "a PostgreSQL that answers",
          "PostgreSQL cannot be reached: check that it runs, and check the network");
    }
    String state = state(error);
    return switch (state) {
      case "53100" ->
          StoreErrors.unavailable(
              error, "free disk space", "the disk of PostgreSQL is full: free disk space");
      case "55P03" ->
          StoreErrors.unavailable(
              error,
              "one writer at a time",
              "another host has locked the ledger for too long: check that host");
      case "25006" ->
          StoreErrors.unavailable(
              error,
              "a primary",
              "this PostgreSQL server is read-only: use the URL of the primary server");
      case "42501" ->
          StoreErrors.unavailable(
              error, "a user who may write", "the PostgreSQL user lacks a privilege: grant it");
      case "3D000", "3F000" ->
          StoreErrors.unavailable(
              error,
              "a database that is there",
              "the database or schema does not exist: create it");
      case "23505" -> taken(error);
      default -> byClass(error, state);
    };
  }

  /** Whether the connection must be closed after this error. */
  static boolean lost(SQLException error) {
    String state = state(error);
    return state.startsWith("08")
        || state.equals("57P01")
        || state.equals("57P02")
        || state.equals("57P03")
        || state.equals("25P03")
        || state.equals("25P04");
  }

  private static RuntimeException byClass(SQLException error, String state) {
    String family = state.length() < 2 ? "" : state.substring(0, 2);
    return switch (family) {
      case "28" ->
          StoreErrors.unavailable(
              error, "a known user", "PostgreSQL refuses the user: check name and password");
      case "40", "53", "54", "55", "57", "58" ->
          StoreErrors.unavailable(
              error, "a PostgreSQL that can work", "PostgreSQL cannot do this now: see its log");
      case "XX" ->
          StoreErrors.unavailable(
              error,
              "a sound database",
              "PostgreSQL's files are damaged: see its log and restore a backup");
      default ->
          new IllegalStateException(
              "defect: the ledger sent SQL that the database rejects: " + error.getMessage(),
              error);
    };
  }

  private static RuntimeException taken(SQLException error) {
    boolean key =
        error instanceof PSQLException postgres
            && Optional.ofNullable(postgres.getServerErrorMessage())
                .map(ServerErrorMessage::getConstraint)
                .filter("steers_one_key"::equals)
                .isPresent();
    return key
        ? StoreErrors.keyTaken(error)
        : new IllegalStateException(
            "defect: a change violates a constraint of the ledger: " + error.getMessage(), error);
  }

  private static String state(SQLException error) {
    return Optional.ofNullable(error.getSQLState()).orElse("");
  }
}
