package dev.midcourse.hub.api.json;

import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.ReceiptRung;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.hub.api.json.Requests.DiscardedCode;
import dev.midcourse.hub.api.json.Requests.Edit;
import dev.midcourse.hub.api.json.Requests.HubChallenge;
import dev.midcourse.hub.api.json.Requests.PageProof;
import dev.midcourse.hub.api.json.Requests.Restart;
import dev.midcourse.hub.api.json.Requests.Review;
import dev.midcourse.hub.api.json.Requests.RunRequest;
import dev.midcourse.hub.api.json.Requests.SignIn;
import dev.midcourse.hub.api.json.Requests.TokenChallenge;
import dev.midcourse.hub.api.json.Requests.Verdict;
import dev.midcourse.hub.auth.PageSignIn;
import dev.midcourse.hub.metrics.SteerLatency;
import dev.midcourse.ledger.json.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The examples of the OpenAPI document. They belong together: one run, its steers and its events.
 */
public final class Examples {
  private static final Instant AT = Instant.parse("2026-03-01T09:00:00Z");
  private static final RunId RUN_ID = RunId.of("fix-the-flaky-test-k7fp");
  private static final Author PERSON = Author.person("cli");

  public static final RunRequest RUN_REQUEST =
      new RunRequest(
          "fix the flaky test in the parser",
          Optional.of(AgentName.of("claude")),
          Optional.empty(),
          Optional.empty(),
          Optional.of("/home/ada/parser"),
          Optional.of(PendingPolicy.ALL),
          Optional.of(3),
          Optional.of(Duration.ofMinutes(10)));

  public static final RunView RUN =
      new RunView(
          RUN_ID,
          RunState.RUNNING,
          AgentName.of("claude"),
          WorkerName.of("any"),
          "/home/ada/parser",
          PERSON,
          "fix the flaky test in the parser",
          1,
          1,
          Optional.of(SessionId.of("3f8a2c")),
          Optional.of(
              new Progress("tool", "mvn -q test", Optional.of("Bash"), 14, AT.plusSeconds(40))),
          Optional.empty(),
          1,
          new Usage(48_210, 1_904, 231_000),
          AT,
          Optional.of(AT.plusMillis(12)),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.of(Duration.ofMinutes(10)),
          Optional.empty(),
          Optional.empty());

  public static final Views.RunPage RUNS = new Views.RunPage(List.of(RUN), Optional.of(RUN_ID));

  public static final Restart RESTART =
      new Restart(Optional.of("fix it without sleeping"), Optional.of(false));

  public static final Review REVIEW =
      new Review(Verdict.REWORK, Optional.of("keep the public API as it was"));

  public static final SteerRequest STEER_REQUEST =
      new SteerRequest(
          SteerText.of("do not touch the lexer, the bug is in the parser"),
          SteerMode.STEER,
          Optional.of(IdempotencyKey.of("ada-17")),
          Optional.empty(),
          Optional.of(Duration.ofMinutes(5)),
          OnUnsupported.DEGRADE,
          Optional.empty());

  public static final Edit EDIT = new Edit(SteerText.of("leave the lexer as it is"));

  public static final Receipt RECEIPT =
      new Receipt(
          SteerId.of("8e2f6a0c-5b1d-4c57-9a44-1f0b7f7f2c11"),
          RUN_ID,
          1,
          1,
          SteerMode.STEER,
          Optional.of(SteerMode.STEER),
          PERSON,
          "do not touch the lexer, the bug is in the parser",
          0,
          Rung.ACCEPTED,
          List.of(
              new ReceiptRung(Rung.STORED, AT.plusSeconds(41), 0, 0, "committed to the ledger"),
              new ReceiptRung(
                  Rung.OFFERED, AT.plusMillis(41_002), 2, 1, "written to the agent's input"),
              new ReceiptRung(Rung.ACCEPTED, AT.plusMillis(41_009), 9, 1, "queued")),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(AT.plusSeconds(341)));

  public static final Views.Steers STEERS = new Views.Steers(List.of(RECEIPT));

  public static final Views.Turns TURNS =
      new Views.Turns(
          List.of(
              new Views.Turn(
                  1,
                  1,
                  "fix the flaky test in the parser",
                  true,
                  AT.plusMillis(20),
                  Optional.of(AT.plusSeconds(90)),
                  Optional.of(TurnEnd.COMPLETED),
                  Optional.of("The test waited for a clock; it is fixed."))));

  public static final Views.Attempts ATTEMPTS =
      new Views.Attempts(
          List.of(
              new Views.OneAttempt(
                  1,
                  HostName.of("desk-7hq3pz"),
                  false,
                  Optional.of("2.1.0"),
                  Optional.of(Capabilities.FULL),
                  4711,
                  AT.plusMillis(12),
                  Optional.empty(),
                  Optional.empty())));

  public static final Views.OneAsk ASK =
      new Views.OneAsk(
          "ask-1",
          1,
          AskKind.PERMISSION,
          "push to main",
          "git push origin main",
          AT.plusSeconds(50),
          Optional.of("allow"),
          Optional.of(AT.plusSeconds(60)));

  public static final Views.Asks ASKS = new Views.Asks(List.of(ASK));

  public static final String STREAM =
      """
      id: 42
      event: steer_raised
      data: {"cursor":42,"at":"2026-03-01T09:00:41.009Z","run_id":"fix-the-flaky-test-k7fp",\
      "kind":"steer_raised","steer_id":"8e2f6a0c-5b1d-4c57-9a44-1f0b7f7f2c11","seq":1,\
      "rung":"accepted","attempt":1,"evidence":"queued"}

      """;

  public static final Views.EventPage EVENTS =
      new Views.EventPage(
          List.of(new Views.OneEvent(42, AT.plusMillis(41_009), RUN_ID, "steer_raised")), 42);

  public static final Views.Health HEALTH =
      new Views.Health(
          "ok",
          "0.1.0",
          4700,
          "/home/ada/.midcourse",
          "http://127.0.0.1:8787",
          AT,
          2,
          Map.of("running", 1),
          Map.of("request_to_durable", new SteerLatency.Figures(0.9, 3.1, 214)));

  public static final String METRICS = "midcourse_runs{state=\"running\"} 1\n";

  public static final Views.Agents AGENTS =
      new Views.Agents(
          List.of(
              new Views.OneAgent(
                  "claude",
                  true,
                  "/usr/local/bin/claude",
                  Optional.of("2.1.0"),
                  Optional.of(Capabilities.FULL),
                  Optional.empty(),
                  Optional.empty())));

  public static final Views.Workers WORKERS =
      new Views.Workers(
          List.of(
              new Views.OneWorker(
                  "jarvis-worker-1",
                  1,
                  1,
                  0,
                  Optional.of(
                      new Views.OneSandbox(
                          "container",
                          Optional.of("localhost/worker:1"),
                          true,
                          true,
                          "/usr/bin/podman")))));

  public static final String DISPATCH =
      """
      {"run_id":"run-20260301-042","task_type":"implement","context_intent":"fresh",\
      "input":"Handle the null case in the error path.","repo":"acme/shop",\
      "branch":"jarvis-null-case","acceptance_tests":["mvn test"],\
      "output_contract":{"required_fields":["run_id","branch","commit_sha",\
      "files_changed","test_result","risk","pr_skipped_reason"]}}\
      """;

  public static final Views.Groups GROUPS =
      new Views.Groups(
          List.of(
              new Views.OneGroup("main", "main", List.of()),
              new Views.OneGroup("andy-developer", "lead", List.of("jarvis-worker-*"))));

  public static final Views.ShutdownResult SHUTDOWN_RESULT =
      new Views.ShutdownResult(List.of(RUN_ID));

  public static final Views.Pruned PRUNED = new Views.Pruned(12);

  public static final Views.Repaired REPAIRED =
      new Views.Repaired(
          List.of(
              "/srv/clones/shop/.git/commondir is now"
                  + " /srv/clones/shop/.git/midcourse/aside/2026-03-01T04-12-00Z/1-commondir: it"
                  + " makes git use other settings than those of the clone"));

  private static final String SESSION = "k7fp2m9qxw3d";
  private static final String NONCE = "pQ1n0Zr4VtYx2sB7uKd9Lw";
  private static final String SIGNATURE = "MEUCIQDf3r...";

  public static final Views.SignInLink SIGN_IN_LINK =
      new Views.SignInLink(
          "m4k7fp2m9qxw3dh8t6vbn5ryca",
          "http://127.0.0.1:8787/#code=m4k7fp2m9qxw3dh8t6vbn5ryca",
          AT.plusSeconds(60));

  public static final DiscardedCode DISCARD = new DiscardedCode(SIGN_IN_LINK.code());

  public static final Views.Discarded DISCARDED = new Views.Discarded(true);

  public static final SignIn SIGN_IN =
      new SignIn(
          SIGN_IN_LINK.code(),
          "MFkwEwYHKoZIzj0CAQYI...",
          "http://127.0.0.1:8787",
          Optional.of("Chromium on Linux"),
          Optional.of(true));

  public static final Views.StartedSession STARTED_SESSION =
      new Views.StartedSession(
          SESSION, "MFkwEwYHKoZIzj0CAQYI...", 8787, AT.plus(Duration.ofDays(30)));

  public static final HubChallenge HUB_CHALLENGE = new HubChallenge(NONCE, "http://127.0.0.1:8787");

  public static final Views.HubProof HUB_PROOF =
      new Views.HubProof(NONCE, PageSignIn.State.ACTIVE, SIGNATURE);

  public static final TokenChallenge TOKEN_CHALLENGE = new TokenChallenge(NONCE);

  public static final Views.TokenProof TOKEN_PROOF = new Views.TokenProof(8787, SIGNATURE);

  public static final PageProof PAGE_PROOF = new PageProof(NONCE, SIGNATURE);

  public static final Views.AccessToken ACCESS_TOKEN = new Views.AccessToken("page." + NONCE);

  public static final Views.Sessions SESSIONS =
      new Views.Sessions(
          List.of(
              new Views.OneSession(
                  SESSION,
                  "Chromium on Linux",
                  "http://127.0.0.1:8787",
                  true,
                  AT,
                  AT.plusSeconds(600),
                  AT.plus(Duration.ofDays(30)))));

  public static final Views.Revoked REVOKED = new Views.Revoked(1);

  public static final Views.RotatedToken ROTATED =
      new Views.RotatedToken("/home/ada/.midcourse/token", false);

  public static final Map<String, String> OPENAPI = Map.of("openapi", "3.1.0");

  private Examples() {}
}
