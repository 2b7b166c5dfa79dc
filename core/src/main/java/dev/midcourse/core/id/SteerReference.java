package dev.midcourse.core.id;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names a steer in a request: by its whole id, or by the first 4 or more characters of it. */
public record SteerReference(String value) {
  private static final Pattern SHAPE = Pattern.compile("[0-9a-f-]{4,36}");

  public SteerReference {
    if (!SHAPE.matcher(value).matches()) {
      throw Problem.invalid(
              "steer_id",
              "a steer's id, or its first 4 or more characters",
              WireNames.shown(value) + " is not a steer's id")
          .refused();
    }
  }

  public static SteerReference of(String text) {
    return new SteerReference(text);
  }

  public static SteerReference to(SteerId steer) {
    return new SteerReference(steer.value());
  }

  /** Returns the id if this is a whole one. */
  public Optional<SteerId> whole() {
    try {
      return Optional.of(SteerId.of(value));
    } catch (RefusedException beginning) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
