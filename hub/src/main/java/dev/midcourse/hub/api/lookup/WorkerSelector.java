package dev.midcourse.hub.api.lookup;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Selects the worker of a dispatch that names none. */
public record WorkerSelector(WorkerRegistry workers, Ledger ledger) {
  /**
   * The least busy of the workers that the caller may direct. A pattern offers the first of its
   * numbered workers that is free. An idle run does not make its worker busy: it gives way.
   */
  public WorkerName leastBusy(Caller caller) {
    List<Run> live =
        ledger.read(LedgerReader::liveRuns).stream().filter(run -> run.idle().isEmpty()).toList();
    Set<WorkerName> busy =
        live.stream().map(run -> run.spec().worker()).collect(Collectors.toSet());
    return workers.workers().stream()
        .sorted(Comparator.comparing(plan -> plan.name().many()))
        .flatMap(plan -> candidate(plan, busy).stream())
        .filter(name -> Authority.objection(caller, new Action.Dispatch(name)).isEmpty())
        .min(
            Comparator.comparingLong(
                name -> live.stream().filter(run -> run.spec().worker().equals(name)).count()))
        .orElseThrow(() ->
            Problem.of(
                    Code.INVALID,
                    "worker",
                    "required, unless midcourse.toml declares a worker",
                    "worker is missing")
                .refused());
  }

  private static Optional<WorkerName> candidate(WorkerConfig plan, Set<WorkerName> busy) {
    String name = plan.name().text();
    if (!plan.name().many()) {
      return Optional.of(WorkerName.of(name));
    }
    String prefix = name.substring(0, name.length() - 1);
    return IntStream.rangeClosed(1, busy.size() + 1)
        .mapToObj(number -> WorkerName.of(prefix + number))
        .filter(worker -> !busy.contains(worker))
        .findFirst();
  }
}
