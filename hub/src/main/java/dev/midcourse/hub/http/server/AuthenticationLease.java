package dev.midcourse.hub.http.server;

/** The time for which a caller may receive a response that has no end, such as an event stream. */
public interface AuthenticationLease extends AutoCloseable {
  /** The lease of a caller whose authentication does not end. */
  AuthenticationLease UNLIMITED =
      new AuthenticationLease() {
        @Override
        public boolean holds() {
          return true;
        }

        @Override
        public void close() {}
      };

  /** Returns whether the caller may still receive the response. */
  boolean holds();

  /** The response has ended. */
  @Override
  void close();
}
