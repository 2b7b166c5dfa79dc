package dev.midcourse.hub.http.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The table of routes, searched by path and method. */
public final class RouteTable {
  private final List<Entry> entries = new ArrayList<>();

  private record Entry(Route<?, ?> route, List<String> parts) {
    /** Returns the named parts of the path if it belongs to this route. */
    Optional<Map<String, String>> match(List<String> path) {
      if (path.size() != parts.size()) {
        return Optional.empty();
      }
      Map<String, String> named = new HashMap<>();
      for (int i = 0; i < parts.size(); i++) {
        String part = parts.get(i);
        if (part.startsWith("{")) {
          named.put(part.substring(1, part.length() - 1), path.get(i));
        } else if (!part.equals(path.get(i))) {
          return Optional.empty();
        }
      }
      return Optional.of(named);
    }
  }

  public RouteTable(List<Route<?, ?>> routes) {
    routes.forEach(route -> entries.add(new Entry(route, parts(route.path()))));
  }

  public List<Route<?, ?>> all() {
    return entries.stream().<Route<?, ?>>map(Entry::route).toList();
  }

  /** The result of a search. */
  public sealed interface RouteMatch {
    record Match(Route<?, ?> route, Map<String, String> named) implements RouteMatch {}

    record WrongMethod(String allowed) implements RouteMatch {}

    record Nowhere() implements RouteMatch {}
  }

  /** Returns the route of a request, or why there is none: the method is wrong, or the path. */
  public RouteMatch find(String method, String path) {
    List<String> parts = parts(path);
    List<String> allowed = new ArrayList<>();
    for (Entry entry : entries) {
      Optional<Map<String, String>> named = entry.match(parts);
      if (named.isPresent()) {
        if (entry.route().verb().name().equals(method)) {
          return new RouteMatch.Match(entry.route(), named.get());
        }
        allowed.add(entry.route().verb().name());
      }
    }
    return allowed.isEmpty()
        ? new RouteMatch.Nowhere()
        : new RouteMatch.WrongMethod(allowed.stream().sorted().collect(Collectors.joining(", ")));
  }

  private static List<String> parts(String path) {
    return List.of(path.substring(1).split("/", -1));
  }
}
