package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.client.LoopInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.client.RunPages;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.format.NeedText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Need;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Prints everything that needs a person now, and the commands that deal with it. */
public final class NextCommand extends Command {
  private static final String STATES =
      "&state=running,review_requested,failed,failed_contract,failed_timeout";
  private static final int MAX_RUNS = 10;

  public NextCommand() {
    super(
        new CommandSpec(
            "next",
            CommandSpec.Group.RUNS,
            "list everything that needs you now, with the commands to deal with it",
            """
            Order: runs with permission requests and questions, runs that need review, runs without \
            activity, failed runs; within each, the longest waiting first, at most ten. Then autopilot loops \
            that are parked or wait for your review, questions \
            of agents in chats, senders and chats that wait to be let in, and messages that were not \
            sent. --quiet prints only the id of the first run.
            """,
            List.of(),
            List.of(CommonOptions.QUIET, CommonOptions.JSON),
            List.of(new Example("midcourse show $(midcourse next -q)", "show the first run"))));
  }

  /**
   * Something that needs a person.
   *
   * @param kind run, loop, question, approval or message
   * @param what what needs the person, and why
   * @param since when it began to wait
   * @param commands ready to be pasted
   */
  private record Item(
      String kind,
      String id,
      String what,
      Optional<Instant> since,
      List<String> commands,
      JsonValue.Obj value) {
    JsonValue.Obj json() {
      return JsonValue.Obj.EMPTY
          .with("kind", kind)
          .with("id", id)
          .with("what", what)
          .with("commands", JsonValue.strings(commands))
          .with(kind, value);
    }
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    Search search = new Search();
    RunPages.each(hub, STATES, Long.MAX_VALUE, search::look);
    if (arguments.has(CommonOptions.QUIET)) {
      search.first.stream().findFirst().ifPresent(run -> shell.page().line(run.id()));
      return ExitCode.DONE;
    }
    List<Item> items = new ArrayList<>(search.first.stream().map(NextCommand::item).toList());
    objects(hub, "loops").stream()
        .map(LoopInfo::new)
        .filter(LoopInfo::needsPerson)
        .forEach(loop -> items.add(loop(loop)));
    objects(hub, "questions").forEach(question -> items.add(question(question)));
    objects(hub, "approvals").forEach(approval -> items.add(approval(approval)));
    objects(hub, "outbox").forEach(message -> items.add(message(message)));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(
          shell, new JsonValue.Arr(items.stream().map(item -> (JsonValue) item.json()).toList()));
    } else if (items.isEmpty()) {
      shell.notes().line("Nothing needs attention");
    } else {
      items.forEach(item -> tell(item, shell));
      int more = search.needing - search.first.size();
      if (more > 0) {
        shell.page().line("  " + more + " more runs: midcourse ps --all");
      }
    }
    return ExitCode.DONE;
  }

  /** A caller who may not see chats has none that need attention. */
  private static List<JsonValue.Obj> objects(HubClient hub, String name) {
    try {
      return hub.get("/" + name).objects(name);
    } catch (Failure refused) {
      if (refused.code() == ExitCode.REFUSED) {
        return List.of();
      }
      throw refused;
    }
  }

  /** Keeps the first runs in the order of needs, and the number of runs that need attention. */
  private static final class Search {
    private final List<RunInfo> first = new ArrayList<>();
    private int needing;

    void look(List<RunInfo> runs) {
      for (RunInfo run : runs) {
        if (run.text("needs").isPresent()) {
          needing++;
          first.add(run);
        }
      }
      first.sort(order());
      if (first.size() > MAX_RUNS) {
        first.subList(MAX_RUNS, first.size()).clear();
      }
    }
  }

  private static Comparator<RunInfo> order() {
    return Comparator.<RunInfo>comparingInt(run -> need(run).rank())
        .thenComparing(run -> since(run).orElse(Instant.MAX));
  }

  private static Optional<Instant> since(RunInfo run) {
    return run.live() ? run.progressAt() : run.at("ended_at");
  }

  private static void tell(Item item, ShellContext shell) {
    TerminalOutput page = shell.page();
    String ago =
        item.since().map(at -> ", " + DurationText.ago(at, shell.clock().instant())).orElse("");
    String id = TextSanitizer.line(item.id());
    int taken = id.length() + 2 + ago.length();
    page.line(
        id
            + ": "
            + page.paint(TextColor.YELLOW, page.fit(TextSanitizer.line(item.what()), taken))
            + ago);
    item.commands().forEach(command -> page.line("  " + command));
  }

  private static Item item(RunInfo run) {
    Need need = need(run);
    return new Item("run", run.id(), NeedText.of(need), since(run), todo(run, need), run.json());
  }

  private static Item loop(LoopInfo loop) {
    String id = loop.id();
    List<String> commands =
        loop.waitsForReview()
            ? List.of(
                "midcourse autopilot approve " + id,
                "midcourse autopilot reject " + id + " FINDINGS")
            : List.of("midcourse autopilot go " + id, "midcourse autopilot show " + id);
    String what =
        loop.waitsForReview()
            ? "waits for your review of " + loop.fields().object("check").text("head").orElse("")
            : "is parked: " + loop.question();
    return new Item("loop", id, what, loop.since(), commands, loop.fields());
  }

  private static Item question(JsonValue.Obj question) {
    String run = question.text("run_id").orElse("");
    return new Item(
        "question",
        run,
        "asks in its chat: " + question.text("question").orElse(""),
        time(question, "asked_at"),
        List.of("midcourse show " + run),
        question);
  }

  private static Item approval(JsonValue.Obj approval) {
    String id = approval.text("approval_id").orElse("");
    String name = approval.text("sender_name").orElse("somebody");
    String chat = approval.text("chat").orElse("");
    if (approval.text("kind").orElse("").equals("unknown_sender")) {
      return new Item(
          "approval",
          id,
          name + " wants to talk in " + chat,
          time(approval, "created_at"),
          List.of("midcourse approvals allow " + id, "midcourse approvals deny " + id),
          approval);
    }
    List<String> commands = new ArrayList<>();
    approval.texts("workers").stream()
        .limit(3)
        .forEach(worker -> commands.add("midcourse approvals wire " + id + " " + worker));
    if (approval.is("can_create")) {
      commands.add("midcourse approvals create " + id + " NAME");
    }
    commands.add("midcourse approvals deny " + id);
    return new Item(
        "approval",
        id,
        name + " writes in the new chat " + chat,
        time(approval, "created_at"),
        commands,
        approval);
  }

  private static Item message(JsonValue.Obj message) {
    String id = message.text("outbound_id").orElse("");
    return new Item(
        "message",
        id,
        end(message) + message.text("problem").or(() -> message.text("text")).orElse(""),
        time(message, "created_at"),
        List.of("midcourse outbox retry " + id, "midcourse outbox dismiss " + id),
        message);
  }

  private static String end(JsonValue.Obj message) {
    if (message.text("state").orElse("").equals("unknown")) {
      return "may not have been sent: ";
    }
    return message.text("sent_at").isPresent() ? "" : "was not sent: "; // else: not delivered
  }

  private static Optional<Instant> time(JsonValue.Obj value, String field) {
    return value.text(field).flatMap(HubTimes::of);
  }

  private static Need need(RunInfo run) {
    return Need.parse(run.text("needs").orElse(""));
  }

  /** Returns commands that show the run and deal with it, ready to be pasted. */
  private static List<String> todo(RunInfo run, Need need) {
    return switch (need) {
      case Need.Answer _ ->
          List.of("midcourse show " + run.id(), "midcourse answer " + run.id() + " allow");
      case Need.Review _ -> List.of("midcourse review " + run.id());
      case Need.Quiet _, Need.FailedContract _, Need.TimedOut _, Need.Failed _, Need.Unknown _ ->
          run.live()
              ? List.of(
                  "midcourse logs " + run.id(),
                  "midcourse attach " + run.id(),
                  "midcourse dismiss " + run.id())
              : List.of(
                  "midcourse show " + run.id(),
                  "midcourse restart " + run.id(),
                  "midcourse dismiss " + run.id());
    };
  }
}
