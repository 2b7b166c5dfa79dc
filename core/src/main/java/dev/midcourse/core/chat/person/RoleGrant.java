package dev.midcourse.core.chat.person;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.WorkerName;
import java.time.Instant;
import java.util.Optional;

/**
 * A role that a person has.
 *
 * @param worker the worker for which the role holds; empty for all
 * @param grantedBy who granted it; empty for the command line of the hub
 */
public record RoleGrant(
    PersonId person,
    PersonRole role,
    Optional<WorkerName> worker,
    Optional<PersonId> grantedBy,
    Instant grantedAt) {
  public RoleGrant {
    switch (role) {
      case OWNER -> {
        if (worker.isPresent()) {
          throw Problem.invalid(
                  "worker",
                  "no worker for an owner",
                  "an owner has all workers; leave out the worker")
              .refused();
        }
      }
      case MEMBER -> {
        if (worker.isEmpty()) {
          throw Problem.invalid(
                  "worker", "a worker for a member", "a member belongs to one worker; name it")
              .refused();
        }
      }
      case ADMIN -> {}
    }
  }

  /** Whether the grant counts for this worker. */
  public boolean covers(WorkerName name) {
    return worker.isEmpty() || worker.get().equals(name);
  }
}
