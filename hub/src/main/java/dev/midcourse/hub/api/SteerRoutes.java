package dev.midcourse.hub.api;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Act;
import dev.midcourse.core.authority.Asker;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
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

/** Steers and their receipts, and the answers to what agents ask. */
final class SteerRoutes {
  private final Parts parts;
  private final Errands errands;
  private final Lookup lookup;
  private final Permits permits;

  SteerRoutes(Parts parts) {
    this.parts = parts;
    this.errands = new Errands(parts);
    this.lookup = parts.lookup();
    this.permits = parts.permits();
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
    SteerWish wish = call.body();
    Submitted submitted =
        errands.steer(
            call.asker(),
            new Errands.SteerWish(
                call.path("run"),
                wish.text(),
                wish.mode().orElse(Mode.STEER),
                wish.onUnsupported().orElse(OnUnsupported.DEGRADE),
                wish.key(),
                wish.expectedTurn(),
                wish.ttl(),
                wish.supersedes()));
    Receipt receipt = awaited(submitted.receipt(), call.query());
    return Answer.of(submitted.repeated() ? 200 : 201, receipt);
  }

  private Receipt awaited(Receipt receipt, WaitForRung wait) throws InterruptedException {
    return wait.until().isEmpty()
        ? receipt
        : parts.engine().steering().await(receipt.steerId(), wait.until().get(), wait.patience());
  }

  private Answer list(Call<Nothing, Nothing> call) {
    RunId run = seen(call.asker(), call.path("run"));
    return Answer.ok(
        new Views.Steers(
            parts.engine().ledger().read(r -> r.steers(run)).stream().map(Receipt::of).toList()));
  }

  private Answer show(Call<Nothing, WaitForRung> call) throws InterruptedException {
    Steer steer = lookup.steer(call.path("steer"));
    permits.require(call.asker(), Act.See.of(runOf(steer)));
    return Answer.ok(awaited(Receipt.of(steer), call.query()));
  }

  private Answer withdraw(Call<Withdrawal, Nothing> call) {
    Steer steer = directed(call.asker(), call.path("steer"), "withdraw a steer of");
    String reason = call.body().reason().orElse("withdrawn by its author");
    return Answer.ok(parts.engine().steering().withdraw(steer.id(), reason));
  }

  private Answer edit(Call<Edit, Nothing> call) {
    Steer steer = directed(call.asker(), call.path("steer"), "edit a steer of");
    return Answer.ok(parts.engine().steering().edit(steer.id(), call.body().text()));
  }

  private Answer promote(Call<Nothing, Nothing> call) {
    Steer steer = directed(call.asker(), call.path("steer"), "promote a steer of");
    return Answer.ok(parts.engine().steering().promote(steer.id()));
  }

  private Answer asks(Call<Nothing, Nothing> call) {
    RunId run = seen(call.asker(), call.path("run"));
    return Answer.ok(
        new Views.Asks(
            parts.engine().ledger().read(r -> r.asks(run)).stream()
                .map(Views.OneAsk::of)
                .toList()));
  }

  private Answer answer(Call<Reply, Nothing> call) {
    Run run = lookup.run(call.path("run"));
    permits.require(call.asker(), new Act.Answer(run.id(), run.spec().worker()));
    String ask = call.path("ask");
    parts.engine().runs().answer(run.id(), ask, answer(call.body()), call.asker().author());
    Ask closed =
        parts
            .engine()
            .ledger()
            .read(r -> r.ask(run.id(), ask))
            .orElseThrow(() ->
                Problem.of(Code.NOT_FOUND, "ask", "a question of the run", "there is no ask " + ask)
                    .refused());
    return Answer.ok(Views.OneAsk.of(closed));
  }

  private static Agent.Answer answer(Reply reply) {
    return switch (reply.answer()) {
      case "allow" -> new Agent.Answer.Allow();
      case "deny" -> new Agent.Answer.Deny(reply.why().orElse("a person said no"));
      default -> {
        if (reply.answer().isBlank()) {
          throw Problem.invalid("answer", "allow, deny or words", "the answer is blank").refused();
        }
        yield new Agent.Answer.Words(reply.answer());
      }
    };
  }

  private RunId seen(Asker asker, String text) {
    Run run = lookup.run(text);
    permits.require(asker, Act.See.of(run));
    return run.id();
  }

  private Steer directed(Asker asker, String text, String how) {
    Steer steer = lookup.steer(text);
    permits.require(asker, Act.Direct.of(runOf(steer), how));
    return steer;
  }

  private Run runOf(Steer steer) {
    return lookup.run(steer.run().value());
  }
}
