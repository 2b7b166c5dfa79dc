package dev.midcourse.agents.sandbox;

import java.io.IOException;

/**
 * A dependency is missing that a person must install. The message names the dependency and says how
 * to install it.
 */
public class MissingDependencyException extends IOException {
  private static final long serialVersionUID = 1L;

  MissingDependencyException(String message) {
    super(message);
  }
}
