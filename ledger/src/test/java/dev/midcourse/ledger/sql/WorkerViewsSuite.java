package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.Steer.SteerEnding;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.watch.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts that ask worker_runs and worker_steering_events find on every store. */
abstract class WorkerViewsSuite extends StoreSuite {
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00.123456789Z");
  private static final RunId RUN = RunId.of("run-1");
  private static final List<String> COMPLETION =
      List.of(
          "branch_name",
          "commit_sha",
          "pr_url",
          "test_summary",
          "risk_summary",
          "pr_skipped_reason");

  @Test
  void a_run_is_there_under_the_names_that_scripts_know() {
    ledger.write(tx -> {
      tx.put(run(RunState.RUNNING));
      tx.put(
          Attempt.begun(RUN, 1, HostName.of("host-a"), "m1", false, NOON.minusSeconds(60))
              .ended(NOON, "its host died"));
      tx.put(Attempt.begun(RUN, 2, HostName.of("host-a"), "m2", true, NOON));
      tx.put(steer(1, Rung.STORED, Optional.empty()));
      tx.put(steer(2, Rung.ACCEPTED, Optional.empty()));
      return true;
    });
    assertThat(column("group_folder")).isEqualTo("jarvis-worker-1");
    assertThat(column("status")).isEqualTo("running");
    assertThat(column("started_at")).isEqualTo("2026-03-02T12:00:00.123Z");
    assertThat(column("completed_at")).isEqualTo("null");
    assertThat(column("dispatch_repo")).isEqualTo("acme/app");
    assertThat(column("dispatch_branch")).isEqualTo("jarvis-login");
    assertThat(column("request_id")).isEqualTo("req-1");
    assertThat(column("context_intent")).isEqualTo("continue");
    assertThat(column("parent_run_id")).isEqualTo("run-0");
    assertThat(column("dispatch_session_id")).isEqualTo("s:1");
    assertThat(column("effective_session_id")).isEqualTo("s:1");
    assertThat(column("session_selection_source")).isEqualTo("explicit");
    assertThat(column("session_resume_status")).isEqualTo("resumed");
    assertThat(column("phase")).isEqualTo("editing");
    assertThat(column("supervisor_owner")).isEqualTo("host-a");
    assertThat(column("lease_expires_at")).isEqualTo("2026-03-02T12:00:30.123Z");
    assertThat(column("recovered_from_reason")).isEqualTo("its host died");
    assertThat(column("retry_count")).isEqualTo("1");
    assertThat(column("last_progress_summary")).isEqualTo("two files");
    assertThat(column("last_progress_at")).isEqualTo("2026-03-02T12:00:00.123Z");
    assertThat(column("steer_count")).isEqualTo("2");
    assertThat(column("attempts")).isEqualTo("2");
    assertThat(Double.parseDouble(column("cost_usd"))).isEqualTo(1.25);
  }

  @Test
  void all_names_are_there() {
    List<String> runs =
        List.of(
            "run_id, group_folder, lane_id, status, started_at, completed_at, result_summary",
            "files_changed, dispatch_repo, dispatch_branch, request_id, context_intent",
            "dispatch_payload, parent_run_id, dispatch_session_id, selected_session_id",
            "effective_session_id, session_selection_source, session_resume_status",
            "session_resume_error, phase, last_heartbeat_at, spawn_acknowledged_at",
            "active_container_name, no_container_since, expects_followup_container",
            "supervisor_owner, lease_expires_at, recovered_from_reason, agent_id, agent_type",
            "retry_count, error_details, branch_name, pr_url, commit_sha, test_summary",
            "risk_summary, last_progress_summary, last_progress_at, steer_count");
    assertThat(place.ask("SELECT " + String.join(", ", runs) + " FROM worker_runs")).isEmpty();
    assertThat(
            place.ask(
                "SELECT steer_id, run_id, from_group, message, sent_at, acked_at, status"
                    + " FROM worker_steering_events"))
        .isEmpty();
  }

  @Test
  void the_view_has_the_completion_once_it_was_accepted() {
    ledger.write(tx -> {
      tx.put(run(RunState.RUNNING));
      tx.append(RUN, NOON, new RunEvent.CompletionRejected(2, List.of("risk: missing"), false));
      return true;
    });
    for (String name : COMPLETION) {
      assertThat(column(name)).as(name).isEqualTo("null");
    }
    ledger.write(tx -> {
      tx.put(run(RunState.REVIEW_REQUESTED));
      tx.append(RUN, NOON, accepted());
      return true;
    });
    assertThat(COMPLETION.stream().map(this::column))
        .containsExactly(
            "jarvis-login",
            "1a2b3c4d",
            "https://example.org/pull/7",
            "12 passed",
            "low: one more check",
            "null");
    assertThat(JsonInput.parse(column("files_changed")))
        .contains(JsonValue.strings(List.of("App.java", "a \"b\".md")));
    assertThat(column("phase")).isEqualTo("terminal");
    assertThat(column("error_details")).isEqualTo("null");
  }

  @Test
  void a_completion_that_did_not_hold_says_what_was_missing() {
    ledger.write(tx -> {
      tx.put(run(RunState.FAILED_CONTRACT));
      tx.append(RUN, NOON, new RunEvent.CompletionRejected(2, List.of("run_id: wrong"), false));
      tx.append(RUN, NOON, new RunEvent.CompletionRejected(2, List.of("risk: missing"), true));
      return true;
    });
    assertThat(JsonInput.parse(column("error_details")))
        .map(value -> (JsonValue.Obj) value)
        .hasValueSatisfying(details -> {
          assertThat(details.string("reason")).contains("failed_contract");
          assertThat(details.get("missing")).contains(JsonValue.strings(List.of("risk: missing")));
        });
    assertThat(column("commit_sha")).isEqualTo("null");
  }

  @Test
  void a_session_without_a_name_is_found_by_repo_and_branch() {
    Run named = run(RunState.RUNNING);
    String dispatch = named.spec().dispatch().orElseThrow();
    ledger.write(tx -> {
      tx.put(named);
      return true;
    });
    place.execute(
        "UPDATE briefs SET dispatch = '%s'"
            .formatted(dispatch.replace(", \"session_id\": \"s:1\"", "")));
    assertThat(column("session_selection_source")).isEqualTo("auto_repo_branch");
    assertThat(column("dispatch_session_id")).isEqualTo("null");
    assertThat(column("selected_session_id")).isEqualTo("s:1");
  }

  /** Seen to fail when the page asks for a column that is not there. */
  @Test
  void the_question_of_the_page_finds_the_run() throws IOException {
    ledger.write(tx -> {
      tx.put(run(RunState.REVIEW_REQUESTED));
      tx.append(RUN, NOON, accepted());
      return true;
    });
    Path page = Path.of(System.getProperty("midcourse.root", ".."), "docs", "contract.md");
    String after = Files.readString(page).split("```sql\n", 2)[1];
    assertThat(place.ask(after.substring(0, after.indexOf("```")).replace(";", "")))
        .containsExactly(RUN.value());
  }

  /** What the programs of the worker systems before us asked these tables, by their columns. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT run_id FROM worker_runs WHERE run_id = 'run-1' AND status = 'review_requested'",
        "SELECT run_id FROM worker_runs WHERE group_folder LIKE 'jarvis-worker%'"
            + " ORDER BY started_at DESC LIMIT 20",
        "SELECT run_id FROM worker_runs WHERE lane_id = 'jarvis-worker-1'"
            + " ORDER BY started_at DESC LIMIT 1",
        "SELECT run_id FROM worker_runs WHERE effective_session_id = 's:1'"
            + " ORDER BY started_at DESC LIMIT 1",
        "SELECT run_id FROM worker_runs WHERE request_id = 'req-1' ORDER BY started_at",
        "SELECT run_id FROM worker_runs WHERE parent_run_id = 'run-0' AND retry_count = 1",
        "SELECT run_id FROM worker_runs WHERE commit_sha IS NOT NULL AND pr_url IS NOT NULL"
            + " AND test_summary IS NOT NULL AND risk_summary IS NOT NULL",
        "SELECT run_id FROM worker_runs WHERE branch_name = dispatch_branch",
        "SELECT run_id FROM worker_runs WHERE last_progress_summary = 'two files'"
            + " AND last_progress_at > '2026-03-02T11' AND steer_count = 1",
        "SELECT run_id FROM worker_steering_events WHERE status = 'acked' AND acked_at IS NOT NULL",
        "SELECT r.run_id FROM worker_runs r JOIN worker_steering_events s ON s.run_id = r.run_id"
            + " WHERE s.from_group = 'andy-developer' AND s.sent_at <= s.acked_at"
      })
  void the_questions_that_scripts_ask_find_the_run(String question) {
    ledger.write(tx -> {
      tx.put(run(RunState.REVIEW_REQUESTED));
      tx.put(steer(1, Rung.INJECTED, Optional.empty()));
      tx.append(RUN, NOON, accepted());
      return true;
    });
    assertThat(place.ask(question)).containsExactly("run-1");
  }

  @Test
  void the_question_for_a_session_to_continue_with_finds_the_newest_good_run() {
    ledger.write(tx -> {
      tx.put(run(RunState.REVIEW_REQUESTED));
      return true;
    });
    assertThat(
            place.ask(
                """
                SELECT effective_session_id FROM worker_runs
                WHERE group_folder = 'jarvis-worker-1' AND dispatch_repo = 'acme/app'
                  AND dispatch_branch = 'jarvis-login' AND effective_session_id IS NOT NULL
                  AND status IN ('review_requested', 'done')
                ORDER BY started_at DESC LIMIT 1
                """))
        .containsExactly("s:1");
  }

  @Test
  void a_dispatch_that_is_no_json_hides_no_run() {
    for (int i = 0; i < 20; i++) {
      stored();
    }
    assertThat(place.ask("SELECT dispatch_repo FROM worker_runs")).hasSize(20);
  }

  @Test
  void a_steering_event_says_what_became_of_it() {
    List<Steer> steers = new ArrayList<>();
    steers.add(steer(1, Rung.STORED, Optional.empty()));
    steers.add(steer(2, Rung.OFFERED, Optional.empty()));
    steers.add(steer(3, Rung.ACCEPTED, Optional.empty()));
    steers.add(steer(4, Rung.ANSWERED, Optional.of(SteerEnd.ANSWERED)));
    steers.add(steer(5, Rung.STORED, Optional.of(SteerEnd.SUPERSEDED)));
    steers.add(steer(6, Rung.STORED, Optional.of(SteerEnd.EXPIRED)));
    steers.add(steer(7, Rung.OFFERED, Optional.of(SteerEnd.UNKNOWN)));
    ledger.write(tx -> {
      tx.put(run(RunState.RUNNING));
      steers.forEach(tx::put);
      return true;
    });
    assertThat(place.ask("SELECT status FROM worker_steering_events ORDER BY seq"))
        .containsExactly(
            "pending", "pending", "acked", "acked", "superseded", "expired", "unknown");
    assertThat(place.ask("SELECT acked_at FROM worker_steering_events ORDER BY seq"))
        .startsWith("null", "null", "2026-03-02T12:00:02.123Z", "2026-03-02T12:00:02.123Z")
        .endsWith("null", "null", "null");
    assertThat(
            place.ask(
                "SELECT message FROM worker_steering_events"
                    + " WHERE run_id = 'run-1' AND from_group = 'andy-developer'"
                    + " AND status = 'pending' ORDER BY sent_at"))
        .containsExactly("steer 1", "steer 2");
  }

  private static RunEvent accepted() {
    return new RunEvent.CompletionAccepted(
        2,
        "jarvis-login",
        Optional.of("1a2b3c4d"),
        List.of("App.java", "a \"b\".md"),
        "12 passed",
        "low: one more check",
        Optional.of("https://example.org/pull/7"),
        Optional.empty());
  }

  private String column(String name) {
    return place.ask("SELECT " + name + " FROM worker_runs").getFirst();
  }

  private Steer steer(int seq, Rung highest, Optional<SteerEnd> end) {
    List<RungClaim> rungs = new ArrayList<>();
    for (Rung rung : Rung.values()) {
      if (rung.compareTo(highest) <= 0) {
        rungs.add(new RungClaim(rung, NOON.plusSeconds(rungs.size()), 1, "seen"));
      }
    }
    return new Steer(
        any.steerId(),
        RUN,
        seq,
        new Author(GroupName.of("andy-developer"), "http"),
        SteerMode.STEER,
        Optional.empty(),
        OnUnsupported.DEGRADE,
        SteerText.of("steer " + seq),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        rungs,
        Optional.empty(),
        end.map(how -> new SteerEnding(how, NOON, "over")));
  }

  private static Run run(RunState state) {
    RunSpec spec =
        new RunSpec(
            "log people in",
            AgentName.of("claude"),
            WorkerName.of("jarvis-worker-1"),
            "/w",
            new Author(GroupName.of("andy-developer"), "http"),
            PendingPolicy.ALL,
            5,
            Optional.of(SessionId.of("s:1")),
            Optional.of(RunId.of("run-0")),
            Optional.of(
                """
                {"repo": "acme/app", "branch": "jarvis-login", "request_id": "req-1",
                 "context_intent": "continue", "session_id": "s:1"}
                """));
    return new Run(
        RUN,
        spec,
        state,
        2,
        1,
        Optional.empty(),
        3,
        Optional.of(SessionId.of("s:1")),
        Optional.of(new Lease(HostName.of("host-a"), NOON.plusSeconds(30))),
        false,
        false,
        Optional.of(new Progress("editing", "two files", Optional.empty(), 7, NOON)),
        Optional.empty(),
        0,
        new Usage(10, 20, 1_250_000),
        NOON.minusSeconds(5),
        Optional.of(NOON),
        Optional.empty(),
        Optional.empty());
  }
}
