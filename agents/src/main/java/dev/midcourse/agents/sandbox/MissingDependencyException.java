package dev.midcourse.agents.sandbox;

import java.io.IOException;

/** Something that a person has to bring first; the message says what it is and how to get it. */
public class MissingDependencyException extends IOException {
  private static final long serialVersionUID = 1L;

  MissingDependencyException(String message) {
    super(message);
  }
}
