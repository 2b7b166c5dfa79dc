package dev.midcourse.cli.client;

import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** The reason why a stored steer has not been written to its agent yet. */
public final class DeliveryDelay {
  private DeliveryDelay() {}

  /** Returns the reason; empty if the steer is in delivery already, or if its mode lets it wait. */
  public static Optional<String> of(HubClient hub, ReceiptInfo receipt) {
    if (!receipt.rung().equals("stored") || receipt.ended()) {
      return Optional.empty();
    }
    RunInfo run = new RunInfo(hub.get("/runs/" + HttpRequest.encoded(receipt.run())));
    if (run.state().equals("queued")) {
      return Optional.of("until the run starts");
    }
    if (run.number("turn") == 0) {
      return Optional.of("until the first turn starts: " + run.agent() + " is starting");
    }
    return receipt.mode().equals("steer") && lacksMidTurnSteer(hub, run)
        ? Optional.of(
            "until turn "
                + run.number("turn")
                + " ends: "
                + run.agent()
                + " takes no steers in a turn")
        : Optional.empty();
  }

  private static boolean lacksMidTurnSteer(HubClient hub, RunInfo run) {
    List<JsonValue.Obj> attempts =
        hub.get("/runs/" + HttpRequest.encoded(run.id()) + "/attempts").objects("attempts");
    return !attempts.isEmpty()
        && attempts
            .getLast()
            .object("capabilities")
            .text("mid_turn_steer")
            .equals(Optional.of("false"));
  }
}
