package dev.midcourse.core.agent;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The measured capabilities of one version of an agent. The delivery plan of a steer and the
 * evidence in its receipt depend on them, so a capability that was not measured is absent.
 *
 * @param all the capabilities that are present, in the order of the enum; unmodifiable
 */
public record Capabilities(Set<Capability> all) {

  /** Every capability. The rehearsal agent has all of them. */
  public static final Capabilities FULL = new Capabilities(EnumSet.allOf(Capability.class));

  /** No capability: the agent takes one prompt per call. */
  public static final Capabilities NONE = of();

  public Capabilities {
    all = Collections.unmodifiableSet(copyOf(all));
  }

  public static Capabilities of(Capability... present) {
    return new Capabilities(copyOf(List.of(present)));
  }

  public boolean has(Capability capability) {
    return all.contains(capability);
  }

  public Capabilities with(Capability... more) {
    EnumSet<Capability> changed = copyOf(all);
    changed.addAll(List.of(more));
    return new Capabilities(changed);
  }

  public Capabilities without(Capability... absent) {
    EnumSet<Capability> changed = copyOf(all);
    List.of(absent).forEach(changed::remove);
    return new Capabilities(changed);
  }

  /** {@link EnumSet#copyOf(Collection)} refuses an empty collection; this method does not. */
  private static EnumSet<Capability> copyOf(Collection<Capability> some) {
    EnumSet<Capability> copy = EnumSet.noneOf(Capability.class);
    copy.addAll(some);
    return copy;
  }
}
