package dev.midcourse.core.loop.step;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.Parking;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeOrder;
import java.util.Optional;

/** What a loop writes into its change: title and body, and the comment that tells how it goes. */
public final class ChangeTexts {
  private static final int MAX_TITLE = 70;
  private static final int MAX_BODY = 20_000;

  private ChangeTexts() {}

  /** The act that opens the change of a loop. */
  public static ForgeAct.Open open(Loop loop) {
    return new ForgeAct.Open(
        loop.spec().branch().value(),
        loop.forge().orElseThrow().base(),
        title(loop.prompt().text()),
        body(loop),
        loop.spec().forge().orElseThrow().draft());
  }

  /** The first line of the task. */
  static String title(String task) {
    String line = task.strip().lines().findFirst().orElse("").strip();
    return line.isEmpty() ? "Work of an autopilot loop" : WireNames.cut(line, MAX_TITLE);
  }

  private static String body(Loop loop) {
    return marked(
        WireNames.cut(loop.prompt().text().strip(), MAX_BODY)
            + "\n\nMade by Midcourse loop `"
            + loop.id()
            + "`.",
        marker(loop.id(), "change"));
  }

  /** The name by which a text of the loop is found again. */
  static String marker(LoopEditor draft, String what) {
    return marker(draft.from.id(), what);
  }

  private static String marker(LoopId loop, String what) {
    return ("midcourse:" + loop + ":" + what).replace("--", "-.");
  }

  /** A text with its marker, which people do not see. */
  static String marked(String text, String marker) {
    return text + "\n\n<!-- " + marker + " -->";
  }

  /**
   * The one comment that tells how the loop goes, for the phase that begins. It is edited in place.
   * Empty if the loop tells nothing in public.
   */
  static Optional<LoopAct> status(LoopEditor draft) {
    boolean tells = draft.from.spec().forge().filter(ForgeOrder::publicComment).isPresent();
    boolean worthIt =
        switch (draft.phase) {
          case CHECK, FIX, PARKED, DONE, STOPPED -> true;
          case PREPARE, IMPLEMENT, VERIFY, PUBLISH, ANSWER, SYNC, LAND -> false;
        };
    if (!tells || !worthIt || draft.remote().change.isEmpty()) {
      return Optional.empty();
    }
    String marker = marker(draft, "status");
    String key = "status/" + draft.now.toEpochMilli() + "/" + draft.phase.wire();
    return Optional.of(
        new LoopAct.Write(
            key,
            new ForgeAct.Comment(
                draft.remote().change.get(), marked(text(draft), marker), marker)));
  }

  private static String text(LoopEditor draft) {
    int open = draft.findings.holding().size();
    String where =
        switch (draft.phase) {
          case CHECK -> "waits for review and CI";
          case FIX -> "fixes " + open + " findings";
          case PARKED ->
              "waits for a person: "
                  + draft.parking.map(Parking::reason).map(it -> it.wire()).orElse("");
          case DONE -> "is done: " + draft.result;
          case STOPPED -> "was stopped";
          case PREPARE, IMPLEMENT, VERIFY, PUBLISH, ANSWER, SYNC, LAND -> draft.phase.wire();
        };
    return "Midcourse loop `"
        + draft.from.id()
        + "` "
        + where
        + ". Round "
        + draft.loop().round()
        + (draft.phase == LoopPhase.DONE ? "." : ", " + open + " findings open.");
  }
}
