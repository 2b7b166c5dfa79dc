package dev.midcourse.core.run;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Suggestion;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An answer to a question of an agent. {@link #parse} is the only place where a text of a person
 * gets the meaning of an answer, so every interface accepts and refuses the same texts.
 */
public sealed interface AskAnswer {

  /** The permission is given. */
  record Allow() implements AskAnswer {}

  /**
   * The permission is denied.
   *
   * @param why the reason for the agent
   */
  record Deny(String why) implements AskAnswer {}

  /** The answer to a question that wants words. */
  record Words(String text) implements AskAnswer {}

  String DEFAULT_REASON = "a person said no";

  List<String> ALLOW_WORDS = List.of("allow", "yes", "y", "ok", "okay", "approve", "accept");
  List<String> DENY_WORDS = List.of("deny", "no", "n", "reject", "refuse", "decline");

  /** After these words a space suffices before the reason; "no problem" is no denial. */
  List<String> DENY_VERBS = List.of("deny", "reject", "refuse", "decline");

  /**
   * Returns the meaning of a text for an ask of this kind. A permission request takes an allow word
   * or a deny word, in any case; a reason may follow the deny word. A question takes any text;
   * {@code allow} and {@code deny} alone keep their meaning.
   *
   * @param why a reason that is written apart from the answer; it requires a denial
   * @throws RefusedException if the text is not an answer to such an ask; the message lists the
   *     valid answers
   */
  static AskAnswer parse(AskKind kind, String typed, Optional<String> why) {
    String text = typed.strip();
    if (text.isEmpty()) {
      throw invalid(kind, "the answer is empty");
    }
    AskAnswer answer =
        switch (kind) {
          case PERMISSION ->
              decision(text, why)
                  .orElseThrow(() -> invalid(kind, "'" + text + "' is not an answer" + hint(text)));
          case QUESTION -> words(text, why);
        };
    if (why.isPresent() && !(answer instanceof Deny)) {
      throw Problem.invalid("why", "only with deny", "a reason goes with deny only").refused();
    }
    return answer;
  }

  /** Returns whether the text decides a permission request. */
  static boolean isDecision(String typed) {
    return decision(typed.strip(), Optional.empty()).isPresent();
  }

  /** The texts that {@link #parse} accepts, in words. */
  static String accepted(AskKind kind) {
    return switch (kind) {
      case PERMISSION -> "allow (yes, y, ok) or deny (no, n), with a reason after deny if you like";
      case QUESTION -> "the answer in words, allow, or deny";
    };
  }

  /** The answer as it is stored and shown. */
  default String text() {
    return switch (this) {
      case Allow() -> "allow";
      case Deny(String why) -> "deny: " + why;
      case Words(String text) -> text;
    };
  }

  private static AskAnswer words(String text, Optional<String> why) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "allow" -> new Allow();
      case "deny" -> deny(why);
      default -> new Words(text);
    };
  }

  private static Optional<AskAnswer> decision(String text, Optional<String> why) {
    String word = text.split("[\\s,:;.!]", 2)[0];
    String first = word.toLowerCase(Locale.ROOT);
    String rest = text.substring(word.length());
    boolean alone = rest.matches("[\\s.!]*");
    if (ALLOW_WORDS.contains(first)) {
      return alone ? Optional.of(new Allow()) : Optional.empty();
    }
    boolean separated = rest.matches("(?s)\\s*[,:;].*") || DENY_VERBS.contains(first);
    if (!DENY_WORDS.contains(first) || !(alone || separated)) {
      return Optional.empty();
    }
    String reason = alone ? "" : rest.replaceFirst("^[\\s,:;.!]+", "").strip();
    return Optional.of(deny(reason.isEmpty() ? why : Optional.of(reason)));
  }

  private static Deny deny(Optional<String> why) {
    return new Deny(why.map(String::strip).filter(it -> !it.isEmpty()).orElse(DEFAULT_REASON));
  }

  private static String hint(String text) {
    return Suggestion.to(
            text.toLowerCase(Locale.ROOT),
            Stream.concat(ALLOW_WORDS.stream(), DENY_WORDS.stream())
                .filter(word -> word.length() > 2)
                .toList())
        .map(word -> " (did you mean '" + word + "'?)")
        .orElse("");
  }

  private static RefusedException invalid(AskKind kind, String message) {
    return Problem.invalid("answer", accepted(kind), message).refused();
  }
}
