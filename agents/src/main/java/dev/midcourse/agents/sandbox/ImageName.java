package dev.midcourse.agents.sandbox;

import dev.midcourse.core.Problem;
import java.util.regex.Pattern;

/** The name of a container image. A valid name can never be read as an option of the runtime. */
public record ImageName(String value) {
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]{0,254}");
  private static final String RULE = "the name of an image, such as localhost/worker:1";

  public ImageName {
    if (!SHAPE.matcher(value).matches()) {
      throw Problem.invalid("image", RULE, "image must be " + RULE).refused();
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
