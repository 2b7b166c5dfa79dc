package dev.midcourse.autopilot;

import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.steer.Author;
import java.util.Optional;

/** The people behind the logins of forges. */
@FunctionalInterface
public interface ForgePeople {
  ForgePeople NOBODY = (_, _, _) -> Optional.empty();

  /** The person of this login, if the person may steer the loop. */
  Optional<Author> author(String forge, String login, Loop loop);
}
