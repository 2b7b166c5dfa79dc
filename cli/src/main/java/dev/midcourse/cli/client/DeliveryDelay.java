package dev.midcourse.cli.client;

import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** Why a steer that is stored has not been written to its agent yet, in words. */
public final class DeliveryDelay {
  private DeliveryDelay() {}

  /** Nothing when it is on its way already, or when its author asked for it to wait. */
  public static Optional<String> of(HubClient hub, ReceiptInfo receipt) {
    if (!receipt.rung().equals("stored") || receipt.ended()) {
      return Optional.empty();
    }
    RunInfo run = new RunInfo(hub.get("/runs/" + HttpRequest.encoded(receipt.run())));
    if (run.state().equals("queued")) {
      return Optional.of("until the run starts");
    }
    if (run.number("turn") == 0) {
      return Optional.of("until its first turn begins: " + run.agent() + " is starting");
    }
    return receipt.mode().equals("steer") && takesNothingInATurn(hub, run)
        ? Optional.of(
            "until turn " + run.number("turn") + " ends: " + run.agent() + " takes nothing in one")
        : Optional.empty();
  }

  private static boolean takesNothingInATurn(HubClient hub, RunInfo run) {
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
