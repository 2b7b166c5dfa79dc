package dev.midcourse.core.chat.route;

import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The words that stop a run when one of them is the whole message. Space around the word, upper and
 * lower case, and full stops and exclamation marks at its end make no difference.
 */
public record StopWords(Set<String> words) {
  /** The words that always stop. */
  public static final List<String> ALWAYS = List.of("stop", "cancel", "abort", "nevermind");

  public StopWords {
    words =
        words.stream().map(StopWords::folded).collect(Collectors.toCollection(LinkedHashSet::new));
    words.addAll(ALWAYS);
    words.remove("");
    words = java.util.Collections.unmodifiableSet(words);
  }

  /** Only the words that always stop. */
  public static StopWords always() {
    return new StopWords(Set.of());
  }

  /** Returns whether the whole text is one of the words. */
  public boolean matches(String bareText) {
    return words.contains(folded(bareText));
  }

  private static String folded(String text) {
    String bare = Normalizer.normalize(text.strip(), Normalizer.Form.NFKC);
    int end = bare.length();
    while (end > 0 && (bare.charAt(end - 1) == '!' || bare.charAt(end - 1) == '.')) {
      end--;
    }
    return bare.substring(0, end).strip().toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }
}
