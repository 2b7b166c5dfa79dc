package dev.midcourse.engine;

import dev.midcourse.core.contract.DispatchRules;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.watch.Notice;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A lead's dispatches, a clone with one commit, and a scripted agent. */
public abstract class LeadAndWorkers {
  protected static final Author ANDY = new Author(GroupName.of("andy-developer"), "mailbox");
  protected static final WorkerName ONE = WorkerName.of("jarvis-worker-1");
  protected static final WorkerName TWO = WorkerName.of("jarvis-worker-2");

  @TempDir protected Path folder;
  protected final ScriptedAgent puppet = new ScriptedAgent();
  protected final List<Notice> notices = new CopyOnWriteArrayList<>();
  protected EngineFixture fixture;
  protected Path clones;

  @BeforeEach
  protected void open() throws Exception {
    clones = folder.resolve("clones");
    ShellGit.clone(clones.resolve("acme/shop"));
    fixture = new EngineFixture(folder, puppet);
    fixture.engine().notices().add(notices::add);
  }

  @AfterEach
  protected void close() {
    fixture.close();
  }

  protected Run reviewable(String id, String branch) throws Exception {
    Run run = dispatch(task(id, branch), ONE);
    begin(1);
    String commit = work(run).commit("App.java", "class App {}");
    puppet.ends(completion(id, branch, commit, "App.java"));
    return fixture.awaitState(run.id(), RunState.REVIEW_REQUESTED);
  }

  protected String begin(int turn) {
    String opening = puppet.awaitMessage("prompt " + turn + ": ");
    puppet.begins(turn);
    return opening;
  }

  protected static ShellGit work(Run run) {
    return new ShellGit(Path.of(run.spec().workspace()));
  }

  protected Run dispatch(JsonValue.Obj dispatch, WorkerName worker) {
    return dispatch(dispatch, worker, Optional.empty());
  }

  protected Run dispatch(JsonValue.Obj dispatch, WorkerName worker, Optional<IdempotencyKey> key) {
    DispatchTarget lane =
        new DispatchTarget(
            worker, AgentName.of("puppet"), clones, PendingPolicy.ALL, 3, DispatchRules.JARVIS);
    return fixture.engine().dispatching().dispatch(dispatch, lane, ANDY, key);
  }

  protected Receipt steer(Run run, String text) {
    return fixture.engine().steering().submit(run.id(), ANDY, SteerRequest.steer(text)).receipt();
  }

  protected static JsonValue.Obj task(String id, String branch) {
    return JsonValue.object()
        .with("run_id", id)
        .with("task_type", "implement")
        .with("context_intent", "fresh")
        .with("input", "Write the app.")
        .with("repo", "acme/shop")
        .with("branch", branch)
        .with("acceptance_tests", JsonValue.strings(List.of("mvn test")))
        .with("output_contract", required(false));
  }

  protected static JsonValue.Obj continuing(String id, String branch) {
    return task(id, branch)
        .with("context_intent", JsonValue.of("continue"))
        .with("output_contract", required(true));
  }

  protected static JsonValue required(boolean session) {
    List<String> fields =
        List.of("run_id", "branch", "commit_sha", "files_changed", "test_result", "risk", "pr_url");
    return JsonValue.object()
        .with(
            "required_fields",
            JsonValue.strings(
                session
                    ? java.util.stream.Stream.concat(
                            fields.stream(), java.util.stream.Stream.of("session_id"))
                        .toList()
                    : fields));
  }

  protected static String completion(String run, String branch, String commit, String file) {
    return """
    <completion>{"run_id":"%s","branch":"%s","commit_sha":"%s","files_changed":["%s"],
    "test_result":"passed","risk":"low","pr_skipped_reason":"no remote"}</completion>\
    """
        .formatted(run, branch, commit, file);
  }
}
