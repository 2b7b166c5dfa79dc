package dev.midcourse.hub.api.json;

import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.hub.api.lookup.AgentSelector;
import dev.midcourse.hub.auth.PageSession;
import dev.midcourse.hub.auth.PageSignIn;
import dev.midcourse.hub.metrics.SteerLatency;
import dev.midcourse.ledger.json.RunView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The results of the API other than runs and receipts. */
public final class Views {
  private Views() {}

  /**
   * A page of runs, newest first.
   *
   * @param next the last run of the page, if there are more
   */
  public record RunPage(List<RunView> runs, Optional<RunId> next) {}

  public record Steers(List<Receipt> steers) {}

  public record Turns(List<Turn> turns) {}

  /** A turn: the message that opened it, and how it ended. */
  public record Turn(
      int turn,
      int attempt,
      String message,
      boolean taken,
      Instant openedAt,
      Optional<Instant> endedAt,
      Optional<TurnEnd> how,
      Optional<String> answer) {
    public static Turn of(TurnRecord turn) {
      return new Turn(
          turn.number(),
          turn.attempt(),
          turn.message(),
          turn.taken(),
          turn.openedAt(),
          turn.endedAt(),
          turn.how(),
          turn.answer());
    }
  }

  public record Attempts(List<OneAttempt> attempts) {}

  /** An attempt, without the mark that its processes carry: that is a secret. */
  public record OneAttempt(
      int attempt,
      HostName host,
      boolean resumes,
      Optional<String> version,
      Optional<Capabilities> capabilities,
      long pid,
      Instant startedAt,
      Optional<Instant> endedAt,
      Optional<String> endReason) {
    public static OneAttempt of(Attempt attempt) {
      return new OneAttempt(
          attempt.number(),
          attempt.host(),
          attempt.resumes(),
          attempt.version(),
          attempt.can(),
          attempt.pid(),
          attempt.startedAt(),
          attempt.endedAt(),
          attempt.endReason());
    }
  }

  public record Asks(List<OneAsk> asks) {}

  /** A question of an agent. */
  public record OneAsk(
      String ask,
      int attempt,
      AskKind kind,
      String question,
      String detail,
      Instant askedAt,
      Optional<String> answer,
      Optional<Instant> closedAt) {
    public static OneAsk of(Ask ask) {
      return new OneAsk(
          ask.id(),
          ask.attempt(),
          ask.kind(),
          ask.question(),
          ask.detail(),
          ask.askedAt(),
          ask.answer(),
          ask.closedAt());
    }
  }

  public record EventPage(List<OneEvent> events, long next) {}

  /** An event; the fields of its kind stand beside these. */
  public record OneEvent(long cursor, Instant at, RunId runId, String kind) {}

  public record Agents(List<OneAgent> agents) {}

  /**
   * An agent by its name, and whether its program can be used.
   *
   * @param problem why the program that is here does not work
   */
  public record OneAgent(
      String name,
      boolean found,
      String program,
      Optional<String> version,
      Optional<Capabilities> capabilities,
      Optional<String> problem,
      Optional<String> hint) {
    public static OneAgent of(AgentSelector.Known known) {
      return switch (known.finding()) {
        case ProgramLookup.Found(String program, String version, Capabilities can) ->
            new OneAgent(
                known.name().value(),
                true,
                program,
                Optional.of(version),
                Optional.of(can),
                Optional.empty(),
                Optional.empty());
        case ProgramLookup.Broken(String program, String why, String hint) ->
            new OneAgent(
                known.name().value(),
                false,
                program,
                Optional.empty(),
                Optional.empty(),
                Optional.of(why),
                Optional.of(hint));
        case ProgramLookup.Missing(String lookedFor, String hint) ->
            new OneAgent(
                known.name().value(),
                false,
                lookedFor,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(hint));
      };
    }
  }

  public record Workers(List<OneWorker> workers) {}

  /** A worker: its limit, its running and queued runs, and its sandbox. */
  public record OneWorker(
      String name, int atOnce, int running, int queued, Optional<OneSandbox> sandbox) {}

  /**
   * The sandbox of an agent.
   *
   * @param network whether the agent has a network in it
   * @param works whether it can be made on this machine
   * @param found the program that makes it, or why it cannot be made
   */
  public record OneSandbox(
      String kind, Optional<String> image, boolean network, boolean works, String found) {}

  public record Groups(List<OneGroup> groups) {}

  public record OneGroup(String name, String role, List<String> workers) {}

  public record Health(
      String status,
      String version,
      long pid,
      String data,
      String url,
      Instant startedAt,
      int clients,
      Map<String, Integer> runs,
      Map<String, SteerLatency.Figures> latency) {}

  public record SignInLink(String code, String link, Instant expiresAt) {}

  public record Discarded(boolean discarded) {}

  /** A new session, with the hub's own key and port, by which the page recognises the hub. */
  public record StartedSession(String session, String hubKey, int port, Instant expiresAt) {}

  public record HubProof(String hubNonce, PageSignIn.State state, String proof) {}

  /** The proof that the hub has the token, over its port and the nonce of the program. */
  public record TokenProof(int port, String proof) {}

  public record AccessToken(String accessToken) {}

  public record Sessions(List<OneSession> sessions) {}

  public record OneSession(
      String session,
      String browser,
      String origin,
      boolean stay,
      Instant createdAt,
      Instant lastUsedAt,
      Instant expiresAt) {
    public static OneSession of(PageSession session) {
      return new OneSession(
          session.id(),
          session.browser(),
          session.origin(),
          session.stay(),
          session.createdAt(),
          session.lastUsedAt(),
          session.expiresAt());
    }
  }

  public record Revoked(int revoked) {}

  /** The file with the new token. */
  public record RotatedToken(String file, boolean kept) {}

  public record ShutdownResult(List<RunId> left) {}

  public record Pruned(int pruned) {}

  /** One sentence for each git file that was put aside. */
  public record Repaired(List<String> repaired) {}
}
