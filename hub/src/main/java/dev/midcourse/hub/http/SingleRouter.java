package dev.midcourse.hub.http;

import io.helidon.webserver.Router;
import io.helidon.webserver.Routing;
import java.util.List;

/** A router for Helidon that has one routing. */
record SingleRouter(ApiRequestHandler requestHandler) implements Router {
  @Override
  public <T extends Routing> T routing(Class<T> type, T otherwise) {
    return type.isInstance(requestHandler) ? type.cast(requestHandler) : otherwise;
  }

  @Override
  public List<? extends Routing> routings() {
    return List.of(requestHandler);
  }

  @Override
  public void beforeStart() {}

  @Override
  public void afterStop() {}
}
