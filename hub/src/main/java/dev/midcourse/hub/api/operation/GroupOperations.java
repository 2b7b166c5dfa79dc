package dev.midcourse.hub.api.operation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.hub.api.access.AccessControl;
import java.util.Optional;

/** Operations in the name of a group, and messages to groups. */
public final class GroupOperations {
  private final HubContext context;
  private final AccessControl accessControl;

  GroupOperations(HubContext context) {
    this.context = context;
    this.accessControl = context.permits();
  }

  /** Returns the group as a caller. Refuses if this caller may not act as the group. */
  public Caller actAs(Caller caller, GroupName name) {
    accessControl.require(caller, new Action.SpeakAs(name));
    Group group =
        context
            .workers()
            .groups()
            .named(name)
            .orElseThrow(() ->
                Problem.of(
                        Code.NOT_FOUND,
                        "as",
                        "a group of midcourse.toml",
                        "group " + name + " not found")
                    .refused());
    return new Caller.Member(group, caller.author().origin(), Optional.empty());
  }

  /** Refuses a message to a group that the caller may not write to. */
  public void requireMayWrite(Caller caller, GroupName to) {
    accessControl.require(caller, new Action.Tell(to));
  }
}
