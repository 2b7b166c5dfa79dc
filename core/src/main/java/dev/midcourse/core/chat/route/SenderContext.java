package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.RoleGrant;
import java.util.List;
import java.util.Optional;

/**
 * The person who sent the message, as far as the identity is linked, and the roles of the person.
 */
public record SenderContext(Optional<PersonId> person, List<RoleGrant> roles) {
  /** A sender whom nobody has let in. */
  public static final SenderContext UNKNOWN = new SenderContext(Optional.empty(), List.of());

  public SenderContext {
    roles = List.copyOf(roles);
  }
}
