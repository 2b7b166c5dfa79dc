package dev.midcourse.gateway.pump;

import dev.midcourse.gateway.http.RequestHead;

/** Where the requests of one attempt go, and who looks at them. */
public interface AttemptRoute {
  Upstream upstream();

  /** Begins the observation of a request. The target of the head has no secret. */
  ExchangeObserver begin(RequestHead request);
}
