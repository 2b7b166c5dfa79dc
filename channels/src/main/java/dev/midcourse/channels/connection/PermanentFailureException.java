package dev.midcourse.channels.connection;

/** A connection that will not work until a person changes something, as after a revoked token. */
public final class PermanentFailureException extends Exception {
  private static final long serialVersionUID = 1;

  private final String remedy;

  /**
   * @param remedy what the person can do, as a sentence
   */
  public PermanentFailureException(String reason, String remedy) {
    super(reason);
    this.remedy = remedy;
  }

  public String remedy() {
    return remedy;
  }
}
