package dev.midcourse.engine.context;

import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.authority.NamePattern;
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
 * How this hub runs things.
 *
 * @param host the name under which this hub owns runs; the same again after a restart
 * @param folder where attempts and workers' homes are kept
 * @param mostRunning how many runs may have an agent at once on this host
 * @param perWorker how many runs workers take at once, by name or pattern, where that is not one
 * @param perAgent what runs with an agent are held to, where there is such a thing
 * @param settle how long an agent may keep a steer after its turn ended before we stop waiting
 * @param askPatience how long a permission request waits for a person before it is denied
 * @param lease how long a run stays ours without a sign of us
 * @param workerLimits what each run of a worker may take, by name or pattern
 */
public record EngineSettings(
    HostName host,
    Path folder,
    int mostRunning,
    Map<NamePattern, Integer> perWorker,
    Map<AgentName, AgentQuota> perAgent,
    StopTimeouts grace,
    StallPolicy stallPolicy,
    RetryPolicy retry,
    ProgressPolicy progress,
    Duration settle,
    Duration askPatience,
    Duration lease,
    Map<NamePattern, Limits> workerLimits) {

  /** The lane of runs that asked for none: as many at once as the host takes. */
  public static final WorkerName ANY_WORKER = WorkerName.of("any");

  public EngineSettings {
    perWorker = Collections.unmodifiableMap(new LinkedHashMap<>(perWorker));
    perAgent = Map.copyOf(perAgent);
    workerLimits = Collections.unmodifiableMap(new LinkedHashMap<>(workerLimits));
  }

  /** With no limits for workers. */
  public EngineSettings(
      HostName host,
      Path folder,
      int mostRunning,
      Map<NamePattern, Integer> perWorker,
      Map<AgentName, AgentQuota> perAgent,
      StopTimeouts grace,
      StallPolicy stallPolicy,
      RetryPolicy retry,
      ProgressPolicy progress,
      Duration settle,
      Duration askPatience,
      Duration lease) {
    this(
        host,
        folder,
        mostRunning,
        perWorker,
        perAgent,
        grace,
        stallPolicy,
        retry,
        progress,
        settle,
        askPatience,
        lease,
        Map.of());
  }

  public static EngineSettings usual(HostName host, Path folder) {
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

  /** Where the things of a run are. Ids have passed their check, so they may be names. */
  public Path runFolder(RunId run) {
    return folder.resolve("runs").resolve(run.value());
  }

  /** Where a run works that was given no folder; it is made when an attempt begins. */
  public Path ownWorkspace(RunId run) {
    return runFolder(run).resolve("work");
  }

  /** Where an attempt at a run keeps its input and output. */
  public Path attemptFolder(RunId run, int attempt) {
    return runFolder(run).resolve("attempt-" + attempt);
  }

  /** What runs with an agent are held to. */
  public AgentQuota bounds(AgentName agent) {
    return perAgent.getOrDefault(agent, AgentQuota.NONE);
  }

  /** How many runs a worker takes at once. */
  public int atOnce(WorkerName worker) {
    if (worker.equals(ANY_WORKER)) {
      return mostRunning;
    }
    return ofWorker(worker, perWorker).orElse(1);
  }

  /** What each run of a worker may take. */
  public Limits limits(WorkerName worker) {
    return ofWorker(worker, workerLimits).orElse(Limits.NONE);
  }

  /** What is said of a worker: by its own name, or by the first pattern that it fits. */
  private static <T> Optional<T> ofWorker(WorkerName worker, Map<NamePattern, T> said) {
    Optional<T> own = Optional.ofNullable(said.get(NamePattern.of(worker.value())));
    return own.or(() ->
        said.entrySet().stream()
            .filter(entry -> entry.getKey().matches(worker.value()))
            .map(Map.Entry::getValue)
            .findFirst());
  }
}
