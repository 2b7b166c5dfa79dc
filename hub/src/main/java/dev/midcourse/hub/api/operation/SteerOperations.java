package dev.midcourse.hub.api.operation;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.SteerService;
import dev.midcourse.engine.SteerService.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Operations on steers: store, show, withdraw, edit, promote. */
public final class SteerOperations {
  private static final String DEFAULT_WITHDRAWAL_REASON = "withdrawn by its author";

  private final HubContext context;
  private final SteerService service;
  private final AuthorizedLookup lookup;

  SteerOperations(HubContext context, AuthorizedLookup lookup) {
    this.context = context;
    this.service = context.engine().steering();
    this.lookup = lookup;
  }

  /** Returns the receipts of a run's steers, in their order. */
  public List<Receipt> list(Caller caller, String run) {
    RunId id = lookup.visibleRun(caller, run).id();
    return context.engine().ledger().read(reading -> reading.steers(id)).stream()
        .map(Receipt::of)
        .toList();
  }

  /** Stores a steer durably and measures how long that took. */
  public SubmitResult submit(Caller caller, String run, SteerRequest request) {
    Instant asked = context.clock().instant();
    RunId id = lookup.directedRun(caller, run, "steer").id();
    return measured(service.submit(id, caller.author(), resolved(caller, request)), asked);
  }

  /**
   * Stores a steer without waiting for the commit. Steers of one thread are stored in its order.
   *
   * @param known a cache of the runs that the steers of one batch name
   */
  public CompletableFuture<SubmitResult> submitLater(
      Caller caller, String run, SteerRequest request, Map<String, Run> known) {
    Instant asked = context.clock().instant();
    Run steered = known.computeIfAbsent(run, text -> lookup.visibleRun(caller, text, "steer"));
    lookup.requireDirect(caller, steered, "steer");
    return service
        .submitLater(steered.id(), caller.author(), resolved(caller, request))
        .thenApply(submitted -> measured(submitted, asked));
  }

  private SubmitResult measured(SubmitResult submitted, Instant asked) {
    if (!submitted.repeated()) {
      context.steerLatency().stored(submitted.receipt().steerId(), asked, submitted.durable());
    }
    return submitted;
  }

  /** Returns the request with the whole id of the steer that it supersedes. */
  private SteerRequest resolved(Caller caller, SteerRequest request) {
    return request.withSupersedes(
        request
            .supersedes()
            .map(steer -> lookup.visibleSteer(caller, steer, "supersede"))
            .map(Steer::id)
            .map(SteerReference::to));
  }

  /** Returns the receipt of a steer that the caller may see. */
  public Receipt receipt(Caller caller, String steer) {
    return Receipt.of(lookup.visibleSteer(caller, SteerReference.of(steer), "see"));
  }

  /** Waits until a steer has reached the rung or has ended, for at most this time. */
  public Receipt await(SteerId steer, Rung rung, Duration atMost) throws InterruptedException {
    return service.await(steer, rung, atMost);
  }

  /** Withdraws a steer that is not in the conversation yet. */
  public Receipt withdraw(Caller caller, String steer, Optional<String> reason) {
    SteerId id = lookup.directedSteer(caller, steer, "withdraw");
    return service.withdraw(id, reason.orElse(DEFAULT_WITHDRAWAL_REASON));
  }

  /** Changes the text of a pending steer. */
  public Receipt edit(Caller caller, String steer, SteerText text) {
    return service.edit(lookup.directedSteer(caller, steer, "edit"), text);
  }

  /** Changes a pending follow-up into a steer for the running turn. */
  public Receipt promote(Caller caller, String steer) {
    return service.promote(lookup.directedSteer(caller, steer, "promote"));
  }
}
