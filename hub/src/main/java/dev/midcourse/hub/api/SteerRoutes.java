package dev.midcourse.hub.api;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.SteerService.SubmitResult;
import dev.midcourse.hub.api.json.Examples;
import dev.midcourse.hub.api.json.Requests.Edit;
import dev.midcourse.hub.api.json.Requests.Reply;
import dev.midcourse.hub.api.json.Requests.WaitForRung;
import dev.midcourse.hub.api.json.Requests.Withdrawal;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.api.operation.QuestionOperations;
import dev.midcourse.hub.api.operation.SteerOperations;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import java.util.List;
import java.util.Optional;

/** The HTTP routes of steers, their receipts, and the questions of agents. */
final class SteerRoutes {
  private final SteerOperations steers;
  private final QuestionOperations questions;

  SteerRoutes(SteerOperations steers, QuestionOperations questions) {
    this.steers = steers;
    this.questions = questions;
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/runs/{run}/steers", "Steer a run while it works.")
            .takes(SteerRequest.class, Examples.STEER_REQUEST)
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

  private ApiResponse steer(ApiCall<SteerRequest, WaitForRung> call) throws InterruptedException {
    SubmitResult submitted = steers.submit(call.caller(), call.path("run"), call.body());
    Receipt receipt = awaited(submitted.receipt(), call.query());
    return ApiResponse.of(submitted.repeated() ? 200 : 201, receipt);
  }

  private Receipt awaited(Receipt receipt, WaitForRung wait) throws InterruptedException {
    return wait.until().isEmpty()
        ? receipt
        : steers.await(receipt.steerId(), wait.until().get(), wait.maxWait());
  }

  private ApiResponse list(ApiCall<Nothing, Nothing> call) {
    return ApiResponse.ok(new Views.Steers(steers.list(call.caller(), call.path("run"))));
  }

  private ApiResponse show(ApiCall<Nothing, WaitForRung> call) throws InterruptedException {
    Receipt receipt = steers.receipt(call.caller(), call.path("steer"));
    return ApiResponse.ok(awaited(receipt, call.query()));
  }

  private ApiResponse withdraw(ApiCall<Withdrawal, Nothing> call) {
    return ApiResponse.ok(steers.withdraw(call.caller(), call.path("steer"), call.body().reason()));
  }

  private ApiResponse edit(ApiCall<Edit, Nothing> call) {
    return ApiResponse.ok(steers.edit(call.caller(), call.path("steer"), call.body().text()));
  }

  private ApiResponse promote(ApiCall<Nothing, Nothing> call) {
    return ApiResponse.ok(steers.promote(call.caller(), call.path("steer")));
  }

  private ApiResponse asks(ApiCall<Nothing, Nothing> call) {
    return ApiResponse.ok(
        new Views.Asks(
            questions.list(call.caller(), call.path("run")).stream()
                .map(Views.OneAsk::of)
                .toList()));
  }

  private ApiResponse answer(ApiCall<Reply, Nothing> call) {
    return ApiResponse.ok(
        Views.OneAsk.of(
            questions.answer(call.caller(), call.path("run"), call.path("ask"), call.body())));
  }
}
