package dev.midcourse.core.authority;

import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.steer.Author;
import java.util.List;
import java.util.Optional;

/** The identity of a caller, as far as the interface that received the request could prove it. */
public sealed interface Caller {

  /** Returns the author that is recorded with the caller's requests. */
  Author author();

  /** Returns the run whose agent the caller is; empty for a caller that is no agent. */
  default Optional<RunId> own() {
    return Optional.empty();
  }

  /** A person, or a program with the token from a person. Acts as {@code main}. */
  record Main(String origin) implements Caller {
    @Override
    public Author author() {
      return Author.person(origin);
    }
  }

  /** A process of a run's own agent. */
  record Worker(GroupName group, RunId run) implements Caller {
    @Override
    public Author author() {
      return new Author(group, "agent");
    }

    @Override
    public Optional<RunId> own() {
      return Optional.of(run);
    }
  }

  /**
   * A group that proved its identity, or a group in whose name main acts.
   *
   * @param own the run of the caller's agent, if the caller is an agent
   */
  record Member(Group group, String origin, Optional<RunId> own) implements Caller {
    @Override
    public Author author() {
      return new Author(group.name(), origin);
    }
  }

  /**
   * A person in a chat, proved by the stable id that the platform gives.
   *
   * @param roles the roles of the person; without one the person may do nothing
   */
  record Person(List<RoleGrant> roles, Author author) implements Caller {
    public Person {
      roles = List.copyOf(roles);
    }
  }

  /** A caller that could not be proved to be a person. {@code why} is the reason for display. */
  record Unauthenticated(String why) implements Caller {
    private static final GroupName NOBODY = GroupName.of("nobody");

    @Override
    public Author author() {
      return new Author(NOBODY, "unproved");
    }
  }
}
