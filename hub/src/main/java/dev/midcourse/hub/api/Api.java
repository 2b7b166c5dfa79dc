package dev.midcourse.hub.api;

import dev.midcourse.core.authority.Act;
import dev.midcourse.hub.http.Answer;
import dev.midcourse.hub.http.Route;
import dev.midcourse.hub.http.Routes;
import java.util.ArrayList;
import java.util.List;

/** The whole API: every route, and the description that is made from them. */
public final class Api {
  private Api() {}

  /** The routes of the API and these others. */
  public static Routes routes(Parts parts, HubOperations operations, List<Route<?, ?>> others) {
    List<Route<?, ?>> routes = new ArrayList<>();
    routes.addAll(new RunRoutes(operations, new Workspaces(parts.engine().settings())).routes());
    routes.addAll(new SteerRoutes(operations).routes());
    routes.addAll(new DispatchRoutes(parts, operations).routes());
    routes.addAll(new EventRoutes(parts, operations).routes());
    routes.addAll(new HouseRoutes(parts).routes());
    routes.add(
        Route.get("/api/v1/openapi.json", "This description.")
            .answers(200, "OpenAPI 3.1", Examples.OPENAPI)
            .by(call -> {
              parts.permits().require(call.asker(), new Act.SeeAll());
              return Answer.ok(OpenApi.of(routes, parts.facts().version()));
            }));
    List<Route<?, ?>> all = new ArrayList<>(routes);
    all.addAll(others);
    return new Routes(all);
  }
}
