package dev.midcourse.core.loop.finding;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.json.JsonBlocks;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the answers of a fixer to the findings that it was given. */
public final class FixAnswers {
  /** The tag around the answers. */
  public static final String TAG = "answers";

  private static final int MAX_WHY = 2_000;

  private FixAnswers() {}

  /** Returns the answers of the last block; those that cannot be read are left out. */
  public static List<FindingAnswer> read(String text) {
    List<FindingAnswer> answers = new ArrayList<>();
    for (JsonValue.Obj fields :
        JsonBlocks.last(TAG, text).map(block -> block.objects("findings")).orElse(List.of())) {
      Optional<FindingId> id =
          fields
              .string("id")
              .filter(name -> name.matches("[Ff][1-9][0-9]{0,5}"))
              .map(FindingId::of);
      Optional<FindingAnswer.Kind> kind = fields.string("answer").flatMap(FixAnswers::kind);
      if (id.isPresent() && kind.isPresent()) {
        String why = fields.string("why").orElse("").strip();
        answers.add(new FindingAnswer(id.get(), kind.get(), WireNames.cut(why, MAX_WHY)));
      }
    }
    return List.copyOf(answers);
  }

  private static Optional<FindingAnswer.Kind> kind(String word) {
    return switch (word.strip().toLowerCase(Locale.ROOT)) {
      case "fixed" -> Optional.of(FindingAnswer.Kind.FIXED);
      case "disputed" -> Optional.of(FindingAnswer.Kind.DISPUTED);
      case "deferred" -> Optional.of(FindingAnswer.Kind.DEFERRED);
      case "unclear" -> Optional.of(FindingAnswer.Kind.UNCLEAR);
      default -> Optional.empty();
    };
  }
}
