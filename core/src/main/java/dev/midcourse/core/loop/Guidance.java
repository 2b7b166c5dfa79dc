package dev.midcourse.core.loop;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A steer of a loop. While it is held it waits here; when a call takes it, a steer of that run with
 * an id of its own carries it on, and the receipt of that steer tells the rest.
 *
 * @param id the id of the steer; the first run that takes it has the steer under this id
 * @param bindings the calls that took it, oldest first; more than one only if it is standing or a
 *     run ended before it was offered
 * @param ended why it is given to no further call; empty while it may be
 */
public record Guidance(
    SteerId id,
    Author author,
    GuidanceScope scope,
    SteerText text,
    Instant at,
    List<Binding> bindings,
    Optional<String> ended) {

  /** A call that took the guidance, and the steer of its run. */
  public record Binding(int call, SteerId steer) {}

  public Guidance {
    bindings = List.copyOf(bindings);
  }

  /** Whether it waits for a call. Standing guidance always does. */
  public boolean isHeld() {
    return ended.isEmpty() && (scope == GuidanceScope.STANDING || bindings.isEmpty());
  }

  public Guidance boundTo(int call, SteerId steer) {
    List<Binding> more = new ArrayList<>(bindings);
    more.add(new Binding(call, steer));
    return new Guidance(id, author, scope, text, at, more, ended);
  }

  /** The run of the call ended before it was offered, so it waits for the next call again. */
  public Guidance unboundFrom(int call) {
    return new Guidance(
        id,
        author,
        scope,
        text,
        at,
        bindings.stream().filter(it -> it.call() != call).toList(),
        ended);
  }

  public Guidance endedBecause(String why) {
    return new Guidance(id, author, scope, text, at, bindings, Optional.of(why));
  }
}
