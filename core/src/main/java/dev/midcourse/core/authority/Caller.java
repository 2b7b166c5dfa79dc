package dev.midcourse.core.authority;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.steer.Author;
import java.util.Optional;

/** Who stands at a door, as far as the door could prove it. */
public sealed interface Caller {

  /** How it is recorded with what it asks for. */
  Author author();

  /** A person, or a program that a person gave the token: speaks as {@code main}. */
  record Main(String door) implements Caller {
    @Override
    public Author author() {
      return Author.person(door);
    }
  }

  /** A process of a run's own agent. */
  record Worker(GroupName group, RunId run) implements Caller {
    @Override
    public Author author() {
      return new Author(group, "agent");
    }
  }

  /**
   * A group, through a door that proves it or on behalf of which main speaks.
   *
   * @param own the run whose agent it is, where it is one
   */
  record Member(Group group, String door, Optional<RunId> own) implements Caller {
    @Override
    public Author author() {
      return new Author(group.name(), door);
    }
  }

  /** Somebody of whom the door cannot prove that it is a person; the reason is for people. */
  record Unauthenticated(String why) implements Caller {
    private static final GroupName NOBODY = GroupName.of("nobody");

    @Override
    public Author author() {
      return new Author(NOBODY, "unproved");
    }
  }
}
