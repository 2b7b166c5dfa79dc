package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.ReceiptPrinter;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Prints why a message had its effect: decision, gates, and what became of it. */
public final class WhyCommand extends Command {
  private static final int GATE = 14;

  public WhyCommand() {
    super(
        new CommandSpec(
            "why",
            CommandSpec.Group.CHATS,
            "show what was decided about a chat message, and why",
            """
            MESSAGE is the number that midcourse chats show prints, the id of the platform, or \
            CHANNEL:CHAT:ID. Shows the gates that the message passed or not, with the reasons, the runs \
            and steers that it became, with receipts, and the answers.
            """,
            List.of(new Operand("MESSAGE", Operand.Count.ONE, Operand.Kind.TEXT)),
            List.of(CommonOptions.JSON),
            List.of(new Example("midcourse why 17", "show the way of message 17"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    Printed printed = new Printed(arguments, shell);
    printed.one(
        new HubStarter(shell)
            .client()
            .get("/why?message=" + HttpRequest.encoded(arguments.operands().getFirst())),
        why -> tell(why, printed));
    return ExitCode.DONE;
  }

  private static void tell(JsonValue.Obj why, Printed printed) {
    TerminalOutput page = printed.shell().page();
    JsonValue.Obj message = why.object("message");
    KeyValueTable facts = new KeyValueTable(page);
    facts.addWhole("message", message.text("number").orElse(""));
    facts.add(
        "chat", why.object("chat").text("title").orElse(message.text("platform_chat").orElse("")));
    facts.add(
        "sender",
        message.text("sender").orElse("")
            + message.text("identity").map(identity -> " (" + identity + ")").orElse(""));
    facts.add("sent", printed.ago(message, "sent_at"));
    facts.add("text", message.text("text").orElse(""));
    facts.print();
    heading(page, "Gates");
    for (JsonValue.Obj gate : message.objects("gates")) {
      boolean passed = gate.is("passed");
      String sign = passed ? page.glyphs().yes() : page.glyphs().none();
      String words =
          gate.text("worker").map(worker -> worker + ": ").orElse("")
              + gate.text("reason").orElse("");
      page.line(
          "  "
              + page.paint(passed ? TextColor.GREEN : TextColor.YELLOW, sign)
              + " "
              + DisplayWidth.padded(gate.text("gate").orElse(""), GATE)
              + page.fit(TextSanitizer.line(words), GATE + 4));
    }
    heading(page, "Decision");
    message.objects("actions").forEach(action -> indented(page, action.text("words").orElse("")));
    became(why, page);
  }

  private static void became(JsonValue.Obj why, TerminalOutput page) {
    List<JsonValue.Obj> runs = why.objects("runs");
    List<JsonValue.Obj> steers = why.objects("steers");
    List<JsonValue.Obj> answers = why.objects("answers");
    JsonValue.Obj approval = why.object("approval");
    if (!runs.isEmpty()) {
      heading(page, "Runs");
      runs.forEach(run ->
          indented(page, run.text("run_id").orElse("") + ": " + run.text("state").orElse("")));
    }
    for (JsonValue.Obj steer : steers) {
      heading(page, "Steer " + steer.text("steer_id").orElse(""));
      new ReceiptPrinter(page).tell(new ReceiptInfo(steer));
    }
    if (!answers.isEmpty()) {
      heading(page, "Answers");
      answers.forEach(answer ->
          indented(
              page,
              answer.text("state").orElse("")
                  + ": "
                  + answer.text("text").orElse("")
                  + answer.text("problem").map(problem -> " (" + problem + ")").orElse("")));
    }
    approval
        .text("approval_id")
        .ifPresent(id -> {
          heading(page, "Waits for approval");
          indented(page, "midcourse approvals, " + id);
        });
  }

  private static void heading(TerminalOutput page, String words) {
    page.line("");
    page.line(page.paint(TextColor.DIM, words));
  }

  private static void indented(TerminalOutput page, String words) {
    page.line("  " + page.fit(TextSanitizer.line(words), 2));
  }
}
