package dev.midcourse.cli.command.loop;

import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.NumberOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options with which a loop is started, and the request that is made of them. */
final class LoopRequestBuilder {
  static final OptionSpec AGENT =
      OptionSpec.value("--agent", "A", "agent that works; default: the first one installed");
  static final OptionSpec WORKER =
      OptionSpec.value("--worker", "W", "worker for the runs that change the code");
  static final OptionSpec REVIEWER =
      OptionSpec.value(
          "--reviewer",
          "WHO",
          "an agent, me, none, or @login at the forge; default: the agent that works, anew");
  static final OptionSpec CI =
      OptionSpec.value("--ci", "COMMAND", "command that tests a commit; exit status 0 is green");
  static final OptionSpec REPO =
      OptionSpec.value("--repo", "PATH", "git clone; default: the one around the current folder");
  static final OptionSpec BASE =
      OptionSpec.value("--base", "BRANCH", "branch to begin at; default: the one checked out");
  static final OptionSpec BRANCH =
      OptionSpec.value("--branch", "BRANCH", "branch to work on; default: autopilot/LOOP");
  static final OptionSpec FIXES =
      OptionSpec.value("--fixes", "N", "fixes before it asks you, 5; with go: so many more");
  static final OptionSpec REVIEWS =
      OptionSpec.value("--reviews", "N", "reviews before it asks you, 8; with go: so many more");
  static final OptionSpec BUDGET =
      OptionSpec.value("--budget", "DOLLARS", "cost before it asks you");
  static final OptionSpec TOKENS =
      OptionSpec.value("--tokens", "N", "tokens, in and out, before it asks you");
  static final OptionSpec TIME =
      OptionSpec.value("--time", "DURATION", "time before it asks you: 8h");
  static final OptionSpec LAND = OptionSpec.flag("--land", "merge the clean branch into its base");
  static final OptionSpec FORGE =
      OptionSpec.value("--forge", "NAME", "open a change at this forge of the settings");
  static final OptionSpec PR =
      OptionSpec.value("--pr", "N", "take over change N of the forge; TASK guides its first fix");
  static final OptionSpec DRAFT = OptionSpec.flag("--draft", "open the change as a draft");
  static final OptionSpec PUBLIC =
      OptionSpec.flag("--public", "tell in one comment of the change how it goes");
  static final OptionSpec ONLY =
      OptionSpec.choice("--only", "WHAT", List.of("ci"), "with --pr: only fix the checks");
  static final OptionSpec CHECKS =
      OptionSpec.value("--checks", "NAMES", "the checks that count, separated by commas");
  static final OptionSpec ON =
      OptionSpec.value("--on", "LOOP", "begin at the branch of another loop's change");

  static final List<OptionSpec> ALL =
      List.of(
          AGENT, WORKER, REVIEWER, CI, REPO, BASE, BRANCH, FIXES, REVIEWS, BUDGET, TOKENS, TIME,
          LAND, FORGE, PR, DRAFT, PUBLIC, ONLY, CHECKS, ON);

  private LoopRequestBuilder() {}

  /** What is asked of a loop that takes a change over. */
  static String adoptionTask(String number) {
    return "Get change "
        + number
        + " clean: answer what its reviewers say, and make its checks"
        + " green.";
  }

  /** Whether an option says how a loop is to be started. */
  static boolean startsLoop(ParsedArguments arguments) {
    return ALL.stream().anyMatch(arguments::has);
  }

  static JsonValue.Obj request(String task, ParsedArguments arguments, ShellContext shell) {
    if (CommonOptions.duration(arguments, TIME).filter(it -> !it.isPositive()).isPresent()) {
      throw Failure.usage("--time: expected more than 0", "for example: --time 8h");
    }
    JsonValue.Obj request =
        JsonValue.Obj.EMPTY
            .with("prompt", task)
            .with("repo", repository(arguments, shell))
            .with("base", arguments.value(BASE))
            .with("branch", arguments.value(BRANCH))
            .with("worker", arguments.value(WORKER))
            .with("agent", arguments.value(AGENT))
            .with("reviewer", arguments.value(REVIEWER).or(() -> usualReviewer(arguments)))
            .with("ci", arguments.value(CI))
            .with("time", arguments.value(TIME))
            .with("land", arguments.has(LAND));
    Optional<String> budget = arguments.value(BUDGET).map(LoopRequestBuilder::dollars);
    JsonValue.Obj limited =
        budget.isPresent() ? request.with("budget", new JsonValue.Num(budget.get())) : request;
    Optional<Long> tokens = NumberOptions.ofThings(arguments, TOKENS);
    JsonValue.Obj counted = tokens.isPresent() ? limited.with("tokens", tokens.get()) : limited;
    return withForge(withCounts(counted, arguments), arguments);
  }

  /** Only the checks count, so nobody is asked to review. */
  private static Optional<String> usualReviewer(ParsedArguments arguments) {
    return arguments.has(ONLY) ? Optional.of("none") : Optional.empty();
  }

  static JsonValue.Obj withCounts(JsonValue.Obj request, ParsedArguments arguments) {
    Optional<Long> fixes = NumberOptions.of(arguments, FIXES);
    Optional<Long> reviews = NumberOptions.of(arguments, REVIEWS);
    JsonValue.Obj counted = fixes.isPresent() ? request.with("fixes", fixes.get()) : request;
    return reviews.isPresent() ? counted.with("reviews", reviews.get()) : counted;
  }

  /** Whether an option asks for a forge. */
  static boolean usesForge(ParsedArguments arguments) {
    return Stream.of(FORGE, PR, DRAFT, PUBLIC, ONLY, CHECKS, ON).anyMatch(arguments::has);
  }

  private static JsonValue.Obj withForge(JsonValue.Obj request, ParsedArguments arguments) {
    if (!usesForge(arguments)) {
      return request;
    }
    if (Stream.of(FORGE, PR, ON).noneMatch(arguments::has)) {
      throw Failure.usage(
          "autopilot: --draft, --public, --only and --checks need a forge",
          "name it with --forge, or a change with --pr");
    }
    if (arguments.has(DRAFT) && arguments.has(PR)) {
      throw Failure.usage(
          "autopilot: --draft and --pr cannot be used together: the change is open already",
          "use only one of them");
    }
    return named(request, arguments)
        .with("draft", arguments.has(DRAFT))
        .with("comment", arguments.has(PUBLIC))
        .with("only_ci", arguments.has(ONLY))
        .with("checks", arguments.value(CHECKS).map(LoopRequestBuilder::checks));
  }

  /** The request with the forge, the change and the loop below that the options name. */
  static JsonValue.Obj named(JsonValue.Obj request, ParsedArguments arguments) {
    return request
        .with("forge", arguments.value(FORGE))
        .with("change", arguments.value(PR).map(LoopRequestBuilder::number))
        .with("on", arguments.value(ON));
  }

  private static String checks(String text) {
    if (text.replace(",", "").isBlank()) {
      throw Failure.usage(
          "--checks: expected the names of checks, separated by commas, got '" + text + "'",
          "for example: --checks build,lint");
    }
    return text;
  }

  private static String number(String text) {
    String number = text.startsWith("#") ? text.substring(1) : text;
    if (!number.matches("[1-9][0-9]{0,9}")) {
      throw Failure.usage(
          "--pr: expected the number of a change, got '" + text + "'", "for example: --pr 42");
    }
    return number;
  }

  private static String dollars(String text) {
    if (!text.matches("[0-9]{1,6}([.][0-9]{1,6})?")) {
      throw Failure.usage(
          "--budget: expected dollars such as 2.50, got '" + text + "'", "for example: --budget 5");
    }
    return text;
  }

  /** The folder of the clone around the current folder, as git would find it. */
  static String repository(ParsedArguments arguments, ShellContext shell) {
    Optional<String> named = arguments.value(REPO);
    Path folder = shell.folder().resolve(named.orElse("")).normalize();
    if (named.isPresent()) {
      return folder.toString();
    }
    return clone(folder)
        .orElseThrow(() ->
            Failure.usage(
                "autopilot: " + folder + " is not in a git repository",
                "go there, or name it with --repo"));
  }

  static Optional<String> clone(Path folder) {
    for (@Nullable Path at = folder; at != null; at = at.getParent()) {
      if (Files.exists(at.resolve(".git"))) {
        return Optional.of(at.toString());
      }
    }
    return Optional.empty();
  }
}
