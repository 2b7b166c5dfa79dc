package dev.midcourse.engine.context;

import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of an engine.
 *
 * @param host the name under which this hub owns runs; it stays the same after a restart
 * @param folder the folder of attempts and of the homes of workers
 * @param maxRunning how many runs may have an agent at once on this host
 * @param perWorker how many runs of a worker may be active at once, by name or pattern; 1 without
 *     an entry
 * @param perAgent the limits for the runs of an agent; none without an entry
 * @param settle how long an agent may hold a steer after the end of its turn
 * @param askTimeout how long a permission request waits for a person before it is denied
 * @param lease the term of the lease on a run, which is renewed when half of it is over; another
 *     host does not take a run over when its lease ends
 * @param workerLimits the limits of each run of a worker, by name or pattern
 */
public record EngineSettings(
    HostName host,
    Path folder,
    int maxRunning,
    Map<NamePattern, Integer> perWorker,
    Map<AgentName, AgentQuota> perAgent,
    StopTimeouts grace,
    StallPolicy stallPolicy,
    RetryPolicy retry,
    ProgressPolicy progress,
    Duration settle,
    Duration askTimeout,
    Duration lease,
    Map<NamePattern, Limits> workerLimits) {

  /** The worker of runs that name none. It has the limit of the host only. */
  public static final WorkerName ANY_WORKER = WorkerName.of("any");

  private static final String CONVERSATIONS = "conversations";

  public EngineSettings {
    perWorker = Collections.unmodifiableMap(new LinkedHashMap<>(perWorker));
    perAgent = Map.copyOf(perAgent);
    workerLimits = Collections.unmodifiableMap(new LinkedHashMap<>(workerLimits));
  }

  /** Without limits for workers. */
  public EngineSettings(
      HostName host,
      Path folder,
      int maxRunning,
      Map<NamePattern, Integer> perWorker,
      Map<AgentName, AgentQuota> perAgent,
      StopTimeouts grace,
      StallPolicy stallPolicy,
      RetryPolicy retry,
      ProgressPolicy progress,
      Duration settle,
      Duration askTimeout,
      Duration lease) {
    this(
        host,
        folder,
        maxRunning,
        perWorker,
        perAgent,
        grace,
        stallPolicy,
        retry,
        progress,
        settle,
        askTimeout,
        lease,
        Map.of());
  }

  public static EngineSettings defaults(HostName host, Path folder) {
    return new EngineSettings(
        host,
        folder,
        200,
        Map.of(),
        Map.of(),
        StopTimeouts.DEFAULT,
        StallPolicy.DEFAULT,
        RetryPolicy.DEFAULT,
        ProgressPolicy.DEFAULT,
        Duration.ofSeconds(10),
        Duration.ofMinutes(30),
        Duration.ofMinutes(2));
  }

  /** The folder of a run. Ids are checked, so that they are safe as file names. */
  public Path runFolder(RunId run) {
    return folder.resolve("runs").resolve(run.value());
  }

  /** The folder in which a run works that was given none. It is created when an attempt starts. */
  public Path ownWorkspace(RunId run) {
    return runFolder(run).resolve("work");
  }

  /**
   * The folder in which the runs of a conversation work, if their worker has none. It is created
   * when an attempt starts.
   */
  public Path conversationFolder(ConversationId conversation) {
    return folder.resolve(CONVERSATIONS).resolve(conversation.value());
  }

  /** Whether the folder is made for a conversation and not by a person. */
  boolean isConversationFolder(Path workspace) {
    return folder.resolve(CONVERSATIONS).equals(workspace.getParent());
  }

  /** The folder with the input and output of an attempt. */
  public Path attemptFolder(RunId run, int attempt) {
    return runFolder(run).resolve("attempt-" + attempt);
  }

  /** The limits for the runs of an agent. */
  public AgentQuota bounds(AgentName agent) {
    return perAgent.getOrDefault(agent, AgentQuota.NONE);
  }

  /** How many runs of a worker may be active at once. */
  public int atOnce(WorkerName worker) {
    if (worker.equals(ANY_WORKER)) {
      return maxRunning;
    }
    return ofWorker(worker, perWorker).orElse(1);
  }

  /** The limits of each run of a worker. */
  public Limits limits(WorkerName worker) {
    return ofWorker(worker, workerLimits).orElse(Limits.NONE);
  }

  /** The value for a worker: that of its own name, or of the first pattern that matches. */
  private static <T> Optional<T> ofWorker(WorkerName worker, Map<NamePattern, T> said) {
    Optional<T> own = Optional.ofNullable(said.get(NamePattern.of(worker.value())));
    return own.or(() ->
        said.entrySet().stream()
            .filter(entry -> entry.getKey().matches(worker.value()))
            .map(Map.Entry::getValue)
            .findFirst());
  }
}
