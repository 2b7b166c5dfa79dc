package dev.midcourse.hub.api;

import dev.midcourse.core.authority.Action;
import dev.midcourse.hub.api.json.Examples;
import dev.midcourse.hub.api.openapi.OpenApi;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.api.operation.Workspaces;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.RouteTable;
import java.util.ArrayList;
import java.util.List;

/** All routes of the API, and the OpenAPI document that is made from them. */
public final class Api {
  private Api() {}

  /**
   * The routes of the API and these others.
   *
   * @param described further routes of the API, which its description has too
   */
  public static RouteTable routes(
      HubContext context,
      HubOperations operations,
      List<Route<?, ?>> described,
      List<Route<?, ?>> others) {
    List<Route<?, ?>> routes = new ArrayList<>();
    routes.addAll(
        new RunRoutes(
                operations.runs(),
                operations.dispatches(),
                new Workspaces(context.engine().settings()))
            .routes());
    routes.addAll(new SteerRoutes(operations.steers(), operations.questions()).routes());
    routes.addAll(new DispatchRoutes(context, operations.dispatches()).routes());
    routes.addAll(new EventRoutes(context, operations.runs()).routes());
    routes.addAll(new HubRoutes(context).routes());
    routes.addAll(new SignInRoutes(context).routes());
    routes.addAll(described);
    routes.add(
        Route.get("/api/v1/openapi.json", "This description.")
            .answers(200, "OpenAPI 3.1", Examples.OPENAPI)
            .by(call -> {
              context.permits().require(call.caller(), new Action.SeeAll());
              return ApiResponse.ok(OpenApi.of(routes, context.facts().version()));
            }));
    List<Route<?, ?>> all = new ArrayList<>(routes);
    all.addAll(others);
    return new RouteTable(all);
  }
}
