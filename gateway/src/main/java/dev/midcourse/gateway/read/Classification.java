package dev.midcourse.gateway.read;

/**
 * The class of a request.
 *
 * @param certain whether the agent itself says so; otherwise it is concluded from the shape
 */
record Classification(RequestClass kind, boolean certain) {
  static Classification said(RequestClass kind) {
    return new Classification(kind, true);
  }

  static Classification concluded(RequestClass kind) {
    return new Classification(kind, false);
  }
}
