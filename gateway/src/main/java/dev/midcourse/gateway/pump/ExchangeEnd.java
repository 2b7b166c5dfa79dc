package dev.midcourse.gateway.pump;

/** How an exchange of a request and its response ended. */
public enum ExchangeEnd {
  /** The whole response was passed on. */
  COMPLETE,
  /** The agent closed its connection first. */
  CLIENT_GONE,
  /** The provider closed its connection before the end of the response, or sent no valid one. */
  UPSTREAM_CUT,
  /** No connection to the provider was possible. */
  UNREACHABLE
}
