package dev.midcourse.proof.model;

import dev.midcourse.proof.model.RecordedRequest.Outcome;
import dev.midcourse.proof.model.wire.Exchange;
import dev.midcourse.proof.model.wire.Ids;
import dev.midcourse.proof.model.wire.ModelRequest;
import dev.midcourse.proof.model.wire.ModelUsage;
import dev.midcourse.proof.model.wire.ModelWire;
import dev.midcourse.proof.model.wire.Reply;
import java.io.IOException;
import java.util.List;

/** Plays one step as the answer to one request, at the script's pace. */
final class Player {
  private final ModelWire wire;
  private final ModelRequest request;
  private final Exchange exchange;

  Player(ModelWire wire, ModelRequest request, Exchange exchange) {
    this.wire = wire;
    this.request = request;
    this.exchange = exchange;
  }

  Outcome play(Step step) throws IOException, InterruptedException {
    return switch (step) {
      case Step.Delayed(var delay, var then) -> {
        Thread.sleep(delay);
        yield play(then);
      }
      case Step.Held(var gate, var then) -> {
        gate.pass();
        yield play(then);
      }
      case Step.Hang(var gate) -> {
        gate.pass();
        exchange.cut();
        yield Outcome.REFUSED;
      }
      case Step.Fail fail -> {
        fail.retryAfter()
            .ifPresent(wait -> {
              exchange.header("retry-after-ms", Long.toString(wait.toMillis()));
              exchange.header("retry-after", Long.toString(wait.toSeconds()));
            });
        refuse(fail.status(), "the script says " + fail.status());
        yield Outcome.REFUSED;
      }
      case Step.Cut(var parts) -> {
        var reply = wire.reply(request, exchange);
        reply.begin(ModelUsage.SMALL);
        send(parts, reply);
        exchange.cut();
        yield Outcome.REFUSED;
      }
      case Step.Answer(var parts, var usage) -> {
        var reply = wire.reply(request, exchange);
        reply.begin(usage);
        send(parts, reply);
        reply.end();
        yield Outcome.ANSWERED;
      }
    };
  }

  void refuse(int status, String message) throws IOException {
    exchange.json(status, wire.error(status, message));
  }

  private void send(List<Part> parts, Reply reply) throws IOException, InterruptedException {
    for (var part : parts) {
      switch (part) {
        case Part.Text(var text, var pace) -> {
          for (var piece : pace.pieces(text)) {
            reply.text(piece);
            Thread.sleep(pace.pause());
          }
        }
        case Part.Pause(var gate) -> gate.pass();
        case Part.Call(ToolCall.Named named) ->
            reply.call(Ids.next("call"), named.name(), named.arguments());
        case Part.Call(ToolCall.Shell(var command)) -> {
          var named = ShellTool.call(command, request.tools());
          reply.call(Ids.next("call"), named.name(), named.arguments());
        }
      }
    }
  }
}
