package dev.midcourse.core;

import java.util.List;
import java.util.Optional;

/** Finds the known word that a mistyped word probably means. */
public final class Suggestion {
  private static final int MIN_BEGINNING = 3;

  private Suggestion() {}

  /**
   * Returns the only word that begins with the typed text; otherwise the closest word, if it is
   * close enough to be a typing error.
   */
  public static Optional<String> to(String typed, List<String> words) {
    List<String> longer = words.stream().filter(word -> begins(typed, word)).toList();
    if (longer.size() == 1) {
      return Optional.of(longer.getFirst());
    }
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String word : words) {
      int distance = distance(typed, word);
      if (distance < least) {
        least = distance;
        best = word;
      }
    }
    return least <= Math.max(1, typed.length() / 3) ? Optional.of(best) : Optional.empty();
  }

  private static boolean begins(String typed, String word) {
    return typed.length() >= MIN_BEGINNING && word.startsWith(typed);
  }

  /** Returns the number of letters to insert, remove, replace or swap. */
  private static int distance(String a, String b) {
    int[][] table = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          table[i][j] = i + j;
          continue;
        }
        int replaced = table[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        table[i][j] = Math.min(replaced, Math.min(table[i - 1][j], table[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1);
        }
      }
    }
    return table[a.length()][b.length()];
  }
}
