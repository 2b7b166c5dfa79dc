package dev.midcourse.hub.api;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.engine.Submitted;
import dev.midcourse.hub.api.Forms.Edit;
import dev.midcourse.hub.api.Forms.Reply;
import dev.midcourse.hub.api.Forms.SteerWish;
import dev.midcourse.hub.api.Forms.WaitForRung;
import dev.midcourse.hub.api.Forms.Withdrawal;
import dev.midcourse.hub.http.Answer;
import dev.midcourse.hub.http.Call;
import dev.midcourse.hub.http.Route;
import dev.midcourse.hub.http.Route.Nothing;
import java.util.List;
import java.util.Optional;

/** The HTTP routes of steers, their receipts, and the questions of agents. */
final class SteerRoutes {
  private final HubOperations operations;

  SteerRoutes(HubOperations operations) {
    this.operations = operations;
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/runs/{run}/steers", "Steer a run while it works.")
            .takes(SteerWish.class, Examples.STEER_WISH)
            .with(WaitForRung.class)
            .answers(201, "the receipt: it is durable", Examples.RECEIPT)
            .answers(200, "the receipt of the same request, made before", Examples.RECEIPT)
            .refuses(
                Code.KEY_CONFLICT, Code.WRONG_TURN, Code.TOO_LATE, Code.RUN_ENDED, Code.UNSUPPORTED)
            .by(this::steer),
        Route.get("/api/v1/runs/{run}/steers", "The steers of a run, in order.")
            .answers(200, "their receipts", Examples.STEERS)
            .by(this::list),
        Route.get("/api/v1/steers/{steer}", "A receipt; with wait, at that rung.")
            .with(WaitForRung.class)
            .answers(200, "the receipt", Examples.RECEIPT)
            .by(this::show),
        Route.post("/api/v1/steers/{steer}/withdraw", "Take a steer back.")
            .takes(Withdrawal.class, new Withdrawal(Optional.of("it found it by itself")))
            .answers(200, "the receipt", Examples.RECEIPT)
            .refuses(Code.TOO_LATE, Code.UNSUPPORTED)
            .by(this::withdraw),
        Route.patch("/api/v1/steers/{steer}", "Change the text of a steer that waits.")
            .takes(Edit.class, Examples.EDIT)
            .answers(200, "the receipt", Examples.RECEIPT)
            .refuses(Code.TOO_LATE, Code.UNSUPPORTED)
            .by(this::edit),
        Route.post("/api/v1/steers/{steer}/promote", "Make a follow-up a steer for now.")
            .answers(200, "the receipt", Examples.RECEIPT)
            .refuses(Code.TOO_LATE, Code.UNSUPPORTED)
            .by(this::promote),
        Route.get("/api/v1/runs/{run}/asks", "What the run's agent has asked.")
            .answers(200, "its questions, open and closed", Examples.ASKS)
            .by(this::asks),
        Route.post("/api/v1/runs/{run}/asks/{ask}", "Answer what the agent asked.")
            .takes(Reply.class, new Reply("allow", Optional.empty()))
            .answers(200, "the question, closed", Examples.ASK)
            .by(this::answer));
  }

  private Answer steer(Call<SteerWish, WaitForRung> call) throws InterruptedException {
    Submitted submitted = operations.steer(call.asker(), call.path("run"), call.body());
    Receipt receipt = awaited(submitted.receipt(), call.query());
    return Answer.of(submitted.repeated() ? 200 : 201, receipt);
  }

  private Receipt awaited(Receipt receipt, WaitForRung wait) throws InterruptedException {
    return wait.until().isEmpty()
        ? receipt
        : operations.await(receipt.steerId(), wait.until().get(), wait.patience());
  }

  private Answer list(Call<Nothing, Nothing> call) {
    return Answer.ok(new Views.Steers(operations.steers(call.asker(), call.path("run"))));
  }

  private Answer show(Call<Nothing, WaitForRung> call) throws InterruptedException {
    Receipt receipt = operations.receipt(call.asker(), call.path("steer"));
    return Answer.ok(awaited(receipt, call.query()));
  }

  private Answer withdraw(Call<Withdrawal, Nothing> call) {
    return Answer.ok(operations.withdraw(call.asker(), call.path("steer"), call.body().reason()));
  }

  private Answer edit(Call<Edit, Nothing> call) {
    return Answer.ok(operations.edit(call.asker(), call.path("steer"), call.body().text()));
  }

  private Answer promote(Call<Nothing, Nothing> call) {
    return Answer.ok(operations.promote(call.asker(), call.path("steer")));
  }

  private Answer asks(Call<Nothing, Nothing> call) {
    return Answer.ok(
        new Views.Asks(
            operations.asks(call.asker(), call.path("run")).stream()
                .map(Views.OneAsk::of)
                .toList()));
  }

  private Answer answer(Call<Reply, Nothing> call) {
    return Answer.ok(
        Views.OneAsk.of(
            operations.answer(call.asker(), call.path("run"), call.path("ask"), call.body())));
  }
}
