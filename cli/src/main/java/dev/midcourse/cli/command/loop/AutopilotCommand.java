package dev.midcourse.cli.command.loop;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.TextSource;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Starts autopilot loops, and steers and decides about them. */
public final class AutopilotCommand extends Command {
  private static final OptionSpec FILE =
      OptionSpec.value("--file", "FILE", "read the task from a file").or('f');
  private static final OptionSpec PLAN =
      OptionSpec.flag("--plan", "tell what the loop would do, and start nothing");
  private static final OptionSpec DRY_RUN = OptionSpec.flag("--dry-run", "the same as --plan");
  private static final OptionSpec DETACH =
      OptionSpec.flag("--detach", "print the loop id and return at once").or('d');
  private static final OptionSpec NEXT =
      OptionSpec.choice(
          "--next",
          "CALL",
          List.of("next", "fix", "review"),
          "with steer: only for the next call, fix or review");
  private static final OptionSpec STANDING =
      OptionSpec.flag("--standing", "with steer: for every call from the next on");
  private static final OptionSpec FROM =
      OptionSpec.choice(
          "--from",
          "PHASE",
          List.of("implement", "fix", "check"),
          "with restart: where to go on; default: a wait goes on");
  private static final OptionSpec HEAD =
      OptionSpec.value("--head", "COMMIT", "with approve and reject: the commit you looked at");
  private static final OptionSpec ALL =
      OptionSpec.flag("--all", "with list: loops that have ended, too");

  private static final String USAGE = "see midcourse help autopilot";
  private static final Set<String> ORDERS =
      Set.of(
          "start",
          "list",
          "queue",
          "next",
          "doctor",
          "show",
          "follow",
          "steer",
          "withdraw",
          "restart",
          "skip",
          "go",
          "pause",
          "stop",
          "land",
          "drop",
          "uphold",
          "nit",
          "approve",
          "reject");

  public AutopilotCommand() {
    super(
        new CommandSpec(
            "autopilot",
            CommandSpec.Group.RUNS,
            "let agents implement, review, test and fix a task until it is clean",
            """
            autopilot TASK starts a loop: an agent does the task on a branch of its own, another one \
            reviews the commit while CI tests it, and the findings are fixed, until a whole review and CI \
            are clean. It ends there, or it is parked and asks you: a budget is used up, a finding comes \
            back, the reviewer is not available. What was skipped is named in the result.

            With --forge NAME the branch is pushed and a change is opened there: its reviews, threads and \
            checks count, are answered, and with --land the forge merges it. --pr N takes a change over.

            Orders: list, queue (loops that wait to land), next (what waits for you), doctor (the forges), show LOOP, follow LOOP; steer LOOP TEXT (into the running turn; in a wait it is \
            held for the next fix); withdraw LOOP STEER; restart LOOP TASK (another wording; a wait goes \
            on); skip LOOP (end a wait); go LOOP (go on after it was parked); pause, stop, land LOOP; \
            drop, uphold, nit LOOP FINDING [WHY]; approve LOOP and reject LOOP WHAT-IS-WRONG for your own \
            review. A LOOP is its id or the beginning of it.

            Without --detach it prints what the loop does until it ends or is parked; Ctrl-C leaves it \
            running.
            """,
            List.of(
                new Operand("WHAT", Operand.Count.OPTIONAL, Operand.Kind.TEXT, "TASK | ORDER | -"),
                new Operand("WORDS", Operand.Count.ANY, Operand.Kind.TEXT, "LOOP ...")),
            options(),
            List.of(
                new Example(
                    "midcourse autopilot \"Fix the login\" --reviewer codex --ci './mvnw verify'",
                    "until Codex and the tests are content"),
                new Example(
                    "midcourse autopilot steer fix \"Keep the public API\" --standing",
                    "for every call from the next on"),
                new Example("midcourse autopilot go fix --fixes 3", "three more fixes"),
                new Example(
                    "midcourse autopilot --pr 42 --reviewer @copilot --land",
                    "get change 42 of the forge clean and merged"))));
  }

  private static List<OptionSpec> options() {
    List<OptionSpec> all = new ArrayList<>(List.of(FILE));
    all.addAll(LoopRequestBuilder.ALL);
    all.addAll(List.of(PLAN, DRY_RUN, DETACH, NEXT, STANDING, FROM, HEAD, ALL, CommonOptions.JSON));
    return List.copyOf(all);
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    List<String> operands = arguments.operands();
    boolean order =
        !arguments.has(FILE) && !operands.isEmpty() && ORDERS.contains(operands.getFirst());
    LoopPrinter printer = new LoopPrinter(shell, arguments.has(CommonOptions.JSON));
    boolean starts =
        arguments.has(FILE) || isPlan(arguments) || LoopRequestBuilder.startsLoop(arguments);
    if (!order && operands.isEmpty() && !starts) {
      return list(arguments, shell, printer);
    }
    return order
        ? order(
            operands.getFirst(), operands.subList(1, operands.size()), arguments, shell, printer)
        : start(operands, arguments, shell, printer);
  }

  private static HubClient hub(ShellContext shell) throws IOException, InterruptedException {
    return new HubStarter(shell).ensure();
  }

  private static ExitCode list(ParsedArguments arguments, ShellContext shell, LoopPrinter printer)
      throws IOException, InterruptedException {
    printer.list(hub(shell).get("/loops" + (arguments.has(ALL) ? "?all=true" : "")));
    return ExitCode.DONE;
  }

  private static ExitCode start(
      List<String> words, ParsedArguments arguments, ShellContext shell, LoopPrinter printer)
      throws IOException, InterruptedException {
    Optional<String> change = arguments.value(LoopRequestBuilder.PR);
    boolean guided = change.isPresent() && (!words.isEmpty() || arguments.has(FILE));
    String typed = change.isPresent() && !guided ? "" : task(words, arguments, shell);
    String task = change.map(LoopRequestBuilder::adoptionTask).orElse(typed);
    JsonValue.Obj request = LoopRequestBuilder.request(task, arguments, shell);
    if (isPlan(arguments)) {
      return plan(request, arguments, shell);
    }
    HubClient hub = hub(shell);
    JsonValue.Obj loop = hub.post("/loops", request);
    String id = LoopPrinter.word(loop, "loop_id");
    if (guided) {
      JsonValue.Obj guidance = JsonValue.Obj.EMPTY.with("text", typed).with("scope", "fix");
      loop = hub.post("/loops/" + HttpRequest.encoded(id) + "/steers", guidance);
    }
    if (arguments.has(DETACH)) {
      printer.started(loop);
      return ExitCode.DONE;
    }
    return new LoopFollower(hub, printer).follow(id, true);
  }

  private static boolean isPlan(ParsedArguments arguments) {
    return arguments.has(PLAN) || arguments.has(DRY_RUN);
  }

  /** Only a plan at a forge needs the hub. */
  private static ExitCode plan(JsonValue.Obj request, ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    JsonValue.Obj answer =
        LoopRequestBuilder.usesForge(arguments)
            ? hub(shell)
                .post(
                    "/loops/plan",
                    LoopRequestBuilder.named(
                        JsonValue.Obj.EMPTY
                            .with("repo", LoopRequestBuilder.repository(arguments, shell))
                            .with("branch", arguments.value(LoopRequestBuilder.BRANCH))
                            .with("base", arguments.value(LoopRequestBuilder.BASE)),
                        arguments))
            : JsonValue.Obj.EMPTY;
    new LoopForgePrinter(shell, arguments.has(CommonOptions.JSON)).plan(request, answer);
    return ExitCode.DONE;
  }

  private static void doctor(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    Optional<String> clone =
        arguments.has(LoopRequestBuilder.REPO)
            ? Optional.of(LoopRequestBuilder.repository(arguments, shell))
            : LoopRequestBuilder.clone(shell.folder());
    String query = clone.map(it -> "?repo=" + HttpRequest.encoded(it)).orElse("");
    new LoopForgePrinter(shell, arguments.has(CommonOptions.JSON))
        .forges(hub(shell).get("/forges" + query));
  }

  private static String task(List<String> words, ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    if (arguments.has(FILE)) {
      if (!words.isEmpty()) {
        throw Failure.usage(
            "autopilot: TASK and --file cannot be used together", "use only one of them");
      }
      return new TextSource(shell).fromFile(arguments.value(FILE).orElse(""));
    }
    Optional<String> typed =
        words.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", words));
    return new TextSource(shell).of(typed, "task", "");
  }

  private static ExitCode order(
      String what,
      List<String> words,
      ParsedArguments arguments,
      ShellContext shell,
      LoopPrinter printer)
      throws IOException, InterruptedException {
    switch (what) {
      case "start" -> {
        return start(words, arguments, shell, printer);
      }
      case "list" -> {
        return list(arguments, shell, printer);
      }
      case "queue" -> printer.queues(hub(shell).get("/merge-queues"));
      case "next" -> printer.next(hub(shell).get("/loops"));
      case "doctor" -> doctor(arguments, shell);
      case "show" -> printer.details(hub(shell).get(path(words, 1)));
      case "follow" -> {
        HubClient hub = hub(shell);
        String id = LoopPrinter.word(hub.get(path(words, 1)).object("loop"), "loop_id");
        return new LoopFollower(hub, printer).follow(id, false);
      }
      case "steer" -> {
        JsonValue.Obj request =
            JsonValue.Obj.EMPTY
                .with("text", text(words, 1, "steer", shell))
                .with("scope", scope(arguments));
        printer.steered(hub(shell).post(path(words, 0) + "/steers", request));
      }
      case "withdraw" ->
          printer.state(
              hub(shell)
                  .post(
                      path(words, 2) + "/steers/" + HttpRequest.encoded(words.get(1)) + "/withdraw",
                      JsonValue.Obj.EMPTY));
      case "restart" ->
          printer.state(
              hub(shell)
                  .post(
                      path(words, 0) + "/restart",
                      JsonValue.Obj.EMPTY
                          .with("prompt", text(words, 1, "task", shell))
                          .with("from", arguments.value(FROM))));
      case "go" ->
          printer.state(
              hub(shell)
                  .post(
                      path(words, 1) + "/go",
                      LoopRequestBuilder.withCounts(JsonValue.Obj.EMPTY, arguments)));
      case "skip", "pause", "stop", "land" ->
          printer.state(hub(shell).post(path(words, 1) + "/" + what, JsonValue.Obj.EMPTY));
      case "drop", "uphold", "nit" ->
          printer.state(
              hub(shell)
                  .post(
                      path(words, 0) + "/findings/" + HttpRequest.encoded(finding(words)),
                      JsonValue.Obj.EMPTY
                          .with("decision", what)
                          .with("why", String.join(" ", words.subList(2, words.size())))));
      case "approve", "reject" -> review(what, words, arguments, shell, printer);
      default -> throw new IllegalStateException(what);
    }
    return ExitCode.DONE;
  }

  /** Without --head, the review is about the commit that waits now. */
  private static void review(
      String what,
      List<String> words,
      ParsedArguments arguments,
      ShellContext shell,
      LoopPrinter printer)
      throws IOException, InterruptedException {
    HubClient hub = hub(shell);
    String path = path(words, what.equals("approve") ? 1 : 0);
    String head =
        arguments
            .value(HEAD)
            .orElseGet(() -> LoopPrinter.word(hub.get(path).object("loop"), "head"));
    JsonValue.Obj review = JsonValue.Obj.EMPTY.with("head", head);
    printer.state(
        hub.post(
            path + "/review",
            what.equals("approve")
                ? review
                : review.with("findings", text(words, 1, "finding", shell))));
  }

  private static Optional<String> scope(ParsedArguments arguments) {
    if (arguments.has(STANDING) && arguments.has(NEXT)) {
      throw Failure.usage(
          "autopilot: --standing and --next cannot be used together", "use only one of them");
    }
    return arguments.has(STANDING) ? Optional.of("standing") : arguments.value(NEXT);
  }

  private static String finding(List<String> words) {
    if (words.size() < 2) {
      throw Failure.usage(
          "autopilot: expected LOOP FINDING", "list them: midcourse autopilot show");
    }
    return words.get(1);
  }

  private static String text(List<String> words, int from, String name, ShellContext shell) {
    Optional<String> typed =
        words.size() <= from
            ? Optional.empty()
            : Optional.of(String.join(" ", words.subList(from, words.size())));
    try {
      return new TextSource(shell).of(typed, name, "");
    } catch (IOException e) {
      throw Failure.usage("cannot read the " + name + ": " + e.getMessage(), USAGE).because(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.usage("interrupted", USAGE).because(e);
    }
  }

  /**
   * @param count the number of words that the order takes; 0 for any
   */
  private static String path(List<String> words, int count) {
    if (words.isEmpty() || (count > 0 && words.size() != count)) {
      throw Failure.usage("autopilot: expected one loop", "list them: midcourse autopilot list");
    }
    return "/loops/" + HttpRequest.encoded(words.getFirst());
  }
}
