package dev.midcourse.core.chat.autopilot;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.finding.FindingDecision;
import dev.midcourse.core.loop.finding.FindingId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the argument of {@code /autopilot}: a verb, the loop, and what belongs to the verb. The
 * loop may be named by the beginning of its id, and left out if there is one that goes on. An
 * argument that begins with no verb is a task.
 */
public final class ChatLoopOrders {
  /** The answer to an argument that is blank or not complete. */
  public static final String HELP =
      """
      /autopilot TASK: implement, review and fix until it is clean; with --reviewer me you review
      /autopilot status, show, findings
      /autopilot steer TEXT, with --next, --fix, --review or --standing
      /autopilot drop F1 WHY, uphold F1, nit F1
      /autopilot approve, reject FINDINGS
      /autopilot go, skip, pause, land, stop
      Name the loop after the verb if there are several.\
      """;

  private static final Pattern FINDING = Pattern.compile("[Ff][1-9][0-9]{0,5}");
  private static final String BY_PERSON = "--reviewer me";
  private static final int MAX_NAMED = 8;
  private static final int MAX_MORE = 100;

  private final List<Loop> loops;

  private ChatLoopOrders(List<Loop> loops) {
    this.loops = loops;
  }

  /**
   * Reads an order.
   *
   * @param loops the loops of the workers of the chat, the newest first
   */
  public static ChatLoopOrder read(String argument, List<Loop> loops) {
    return new ChatLoopOrders(List.copyOf(loops)).read(argument.strip());
  }

  private ChatLoopOrder read(String argument) {
    Words words = Words.of(argument);
    return switch (words.first().toLowerCase(Locale.ROOT)) {
      case "" -> new ChatLoopOrder.Answer(HELP);
      case "status" -> words.rest().isEmpty() ? new ChatLoopOrder.Status() : start(argument);
      case "show" -> alone(words, ChatLoopOrder.Show::new);
      case "findings" -> alone(words, ChatLoopOrder.Findings::new);
      case "skip" -> alone(words, ChatLoopOrder.Skip::new);
      case "pause" -> alone(words, ChatLoopOrder.Pause::new);
      case "stop" -> alone(words, ChatLoopOrder.Stop::new);
      case "land" -> alone(words, ChatLoopOrder.Land::new);
      case "approve" -> alone(words, ChatLoopOrder.Approve::new);
      case "steer" -> about(words.rest(), this::steer);
      case "go" -> about(words.rest(), ChatLoopOrders::go);
      case "reject" ->
          about(
              words.rest(),
              (loop, text) ->
                  text.isEmpty() ? missing("the findings") : new ChatLoopOrder.Reject(loop, text));
      case "drop" -> decide(words.rest(), FindingDecision.DROP);
      case "uphold" -> decide(words.rest(), FindingDecision.UPHOLD);
      case "nit" -> decide(words.rest(), FindingDecision.NIT);
      default -> start(argument);
    };
  }

  private static ChatLoopOrder start(String argument) {
    boolean byPerson = argument.startsWith(BY_PERSON);
    String task = byPerson ? argument.substring(BY_PERSON.length()).strip() : argument;
    return task.isEmpty() ? missing("the task") : new ChatLoopOrder.Start(task, byPerson);
  }

  private interface Reader {
    ChatLoopOrder read(LoopId loop, String rest);
  }

  /**
   * A verb that takes nothing but a loop. With other words after it the argument is a task: {@code
   * /autopilot stop the flaky test}.
   */
  private ChatLoopOrder alone(Words words, Function<LoopId, ChatLoopOrder> order) {
    Words after = Words.of(words.rest());
    if (!after.rest().isEmpty()) {
      return start(words.first() + " " + words.rest());
    }
    return about(
        words.rest(),
        (loop, rest) ->
            rest.isEmpty()
                ? order.apply(loop)
                : new ChatLoopOrder.Answer("There is no loop " + rest + " here."));
  }

  /** Finds the loop: the one that the first word names, or the only one that goes on. */
  private ChatLoopOrder about(String text, Reader reader) {
    Words words = Words.of(text);
    List<Loop> named = named(words.first());
    if (named.size() == 1) {
      return reader.read(named.getFirst().id(), words.rest());
    }
    if (named.size() > 1) {
      return several(named);
    }
    List<Loop> live = loops.stream().filter(it -> !it.phase().hasEnded()).toList();
    if (live.size() == 1) {
      return reader.read(live.getFirst().id(), text.strip());
    }
    return live.isEmpty()
        ? new ChatLoopOrder.Answer("No loop goes on here. Begin one with /autopilot TASK.")
        : several(live);
  }

  private List<Loop> named(String word) {
    if (word.isEmpty()) {
      return List.of();
    }
    List<Loop> exact = loops.stream().filter(it -> it.id().value().equals(word)).toList();
    return exact.isEmpty()
        ? loops.stream()
            .filter(it -> word.length() >= 3 && it.id().value().startsWith(word))
            .toList()
        : exact;
  }

  private static ChatLoopOrder several(List<Loop> loops) {
    return new ChatLoopOrder.Answer(
        "Name the loop: "
            + loops.stream()
                .limit(MAX_NAMED)
                .map(it -> it.id().value())
                .collect(Collectors.joining(", ")));
  }

  private ChatLoopOrder steer(LoopId loop, String text) {
    Words words = Words.of(text);
    Optional<GuidanceScope> scope =
        words.first().startsWith("--")
            ? Arrays.stream(GuidanceScope.values())
                .filter(it -> words.first().equals("--" + it.wire()))
                .findFirst()
            : Optional.empty();
    String guidance = scope.isPresent() ? words.rest() : text;
    return guidance.isBlank()
        ? missing("the text")
        : new ChatLoopOrder.Steer(loop, scope.orElse(GuidanceScope.NOW), guidance);
  }

  private static ChatLoopOrder go(LoopId loop, String more) {
    if (more.isEmpty()) {
      return new ChatLoopOrder.Go(loop, 0);
    }
    boolean sound = more.matches("\\+?[0-9]{1,3}");
    int fixes = sound ? Integer.parseInt(more.replace("+", "")) : MAX_MORE + 1;
    return fixes <= MAX_MORE
        ? new ChatLoopOrder.Go(loop, fixes)
        : new ChatLoopOrder.Answer("Send /autopilot go, or with more fixes: /autopilot go +3.");
  }

  private ChatLoopOrder decide(String text, FindingDecision decision) {
    return about(
        text,
        (loop, rest) -> {
          Words words = Words.of(rest);
          if (!FINDING.matcher(words.first()).matches()) {
            return missing("the finding, such as F1");
          }
          return decision == FindingDecision.DROP && words.rest().isEmpty()
              ? missing("the reason")
              : new ChatLoopOrder.Decide(loop, FindingId.of(words.first()), decision, words.rest());
        });
  }

  private static ChatLoopOrder missing(String what) {
    return new ChatLoopOrder.Answer("Add " + what + ".\n" + HELP);
  }

  /** The first word of a text, and the text after it. */
  private record Words(String first, String rest) {
    static Words of(String text) {
      String bare = text.strip();
      int end = 0;
      while (end < bare.length() && !Character.isWhitespace(bare.charAt(end))) {
        end++;
      }
      return new Words(bare.substring(0, end), bare.substring(end).strip());
    }
  }
}
