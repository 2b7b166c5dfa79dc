package dev.midcourse.autopilot.forge;

/**
 * What proves to a forge who Midcourse is. It is asked for before each request, so that a token
 * that a command renews is used at once.
 */
@FunctionalInterface
public interface ForgeCredential {
  /** A secret that is sent to the forge only. It is in no log, no event and no error. */
  Secret get() throws ForgeException, InterruptedException;

  /**
   * The forge did not accept this secret. If another one can be had, the next {@link #get} returns
   * that one, and the request is repeated once with it.
   */
  default void reject(Secret secret) {}

  /**
   * A user name and a secret.
   *
   * @param user the user name; blank where the forge needs none
   */
  record Secret(String user, String token) {
    @Override
    public String toString() {
      return "Secret[" + user + "]";
    }
  }
}
