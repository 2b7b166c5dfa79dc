package dev.midcourse.agents;

import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerText;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Steers in the frame in which agents get them. */
public final class Steers {
  private static final Ids IDS = new Ids(new Random(42));

  private Steers() {}

  public static synchronized SteerId id() {
    return IDS.steer();
  }

  public static String framed(SteerId id, String text) {
    return SteerFrame.of(steer(id, text), SteerMode.STEER);
  }

  /** A prompt with steers that were carried into its turn. */
  public static String opening(String prompt, Steer... carried) {
    return SteerFrame.opening(List.of(), prompt, List.of(carried));
  }

  public static Steer steer(SteerId id, String text) {
    return new Steer(
        id,
        RunId.of("some-run"),
        1,
        Author.person("cli"),
        SteerMode.STEER,
        Optional.empty(),
        OnUnsupported.DEGRADE,
        SteerText.of(text),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }
}
