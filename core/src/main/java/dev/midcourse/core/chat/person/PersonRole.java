package dev.midcourse.core.chat.person;

import dev.midcourse.core.WireNames;

/** The role of a person, for all workers or for one. */
public enum PersonRole {
  /** May do everything. Always for all workers. */
  OWNER,
  /** Decides who may talk to the workers, and steers them. For all workers or for one. */
  ADMIN,
  /** Talks to one worker and steers the runs of its conversations. Always for one worker. */
  MEMBER;

  public String wire() {
    return WireNames.name(this);
  }

  public static PersonRole parse(String text) {
    return WireNames.parse(PersonRole.class, "role", text);
  }
}
