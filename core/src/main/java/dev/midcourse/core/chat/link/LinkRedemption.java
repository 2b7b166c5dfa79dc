package dev.midcourse.core.chat.link;

import dev.midcourse.core.chat.person.PersonId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What becomes of a code that somebody sent. */
public sealed interface LinkRedemption {

  /** The account belongs to this person from now on; the code is used up. */
  record Linked(PersonId person, LinkCode used) implements LinkRedemption {}

  /**
   * The code is wrong, used, void or expired.
   *
   * @param changed the open codes, each with one try less; one without tries is void
   */
  record Wrong(List<LinkCode> changed) implements LinkRedemption {
    public Wrong {
      changed = List.copyOf(changed);
    }
  }

  /**
   * Compares what was typed with the codes. A wrong code costs each open code a try, because nobody
   * knows which of them was meant.
   */
  static LinkRedemption redeem(List<LinkCode> codes, String typed, Instant now) {
    List<LinkCode> open = codes.stream().filter(code -> code.isOpen(now)).toList();
    Optional<LinkCode> match = open.stream().filter(code -> code.matches(typed)).findFirst();
    return match.isPresent()
        ? new Linked(match.get().person(), match.get())
        : new Wrong(open.stream().map(LinkCode::withOneTryLess).toList());
  }
}
