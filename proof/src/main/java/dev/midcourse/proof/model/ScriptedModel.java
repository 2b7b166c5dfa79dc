package dev.midcourse.proof.model;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.proof.model.RecordedRequest.Outcome;
import dev.midcourse.proof.model.wire.Exchange;
import dev.midcourse.proof.model.wire.Json;
import dev.midcourse.proof.model.wire.ModelWire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A model server on loopback that implements Anthropic Messages, OpenAI Responses, OpenAI Chat
 * Completions and Gemini, plays a {@link Script} per {@link Lane} and records every request.
 *
 * <p>A request of a shape that the vendor refuses is refused here too. Closing the server ends
 * every open answer and frees the port. It throws if such a request was refused and no test has
 * taken the refusal from its lane, so that no test ignores one.
 */
public final class ScriptedModel implements AutoCloseable {
  private static final Pattern LANE_PATH = Pattern.compile("/lane/([A-Za-z0-9._-]+)(/.*)?");

  static {
    // Small writes are sent at once; otherwise each streamed piece may wait 40 ms for the peer.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
  private final Optional<Script> forUnknownLanes;
  private final InstantSource clock;

  private ScriptedModel(int port, Optional<Script> forUnknownLanes, InstantSource clock) {
    this.forUnknownLanes = forUnknownLanes;
    this.clock = clock;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port, e);
    }
    http.setExecutor(threads);
    http.createContext("/", this::serve);
  }

  /** Starts a server on a free port. Tests open the lanes that they need. */
  public static ScriptedModel start() {
    return start(new ScriptedModel(0, Optional.empty(), InstantSource.system()));
  }

  /** Starts a server on which every called lane plays this script from its beginning. */
  public static ScriptedModel start(int port, Script forEveryLane) {
    return start(new ScriptedModel(port, Optional.of(forEveryLane), InstantSource.system()));
  }

  private static ScriptedModel start(ScriptedModel model) {
    model.http.start();
    return model;
  }

  /** Opens a lane with this script. A name can be used once. */
  public Lane lane(String name, Script script) {
    if (!LANE_PATH.matcher("/lane/" + name).matches()) {
      throw new IllegalArgumentException("not a name for a lane: " + name);
    }
    var lane = newLane(name, script);
    if (lanes.putIfAbsent(name, lane) != null) {
      throw new IllegalArgumentException("there is a lane " + name + " already");
    }
    return lane;
  }

  /** Returns the base address of the lanes: {@code url()/lane/NAME}. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  @Override
  public void close() {
    threads.shutdownNow();
    http.stop(0);
    threads.close();
    var refused = lanes.values().stream().flatMap(lane -> lane.takeRefused().stream()).toList();
    if (!refused.isEmpty()) {
      throw new IllegalStateException(
          "requests that a vendor would refuse:\n" + String.join("\n", refused));
    }
  }

  private Lane newLane(String name, Script script) {
    return new Lane(name, URI.create(url() + "/lane/" + name), script, clock);
  }

  private Optional<Lane> findLane(String name) {
    return forUnknownLanes
        .map(script -> lanes.computeIfAbsent(name, absent -> newLane(absent, script)))
        .or(() -> Optional.ofNullable(lanes.get(name)));
  }

  private void serve(HttpExchange call) throws IOException {
    try (call) {
      var path = LANE_PATH.matcher(call.getRequestURI().getPath());
      var lane = path.matches() ? findLane(path.group(1)) : Optional.<Lane>empty();
      if (lane.isPresent()) {
        serve(lane.get(), new Exchange(call, Optional.ofNullable(path.group(2)).orElse("/")));
      } else {
        var known = String.join(", ", lanes.keySet());
        new Exchange(call, "/").json(404, Json.object("error", "no such lane; known: " + known));
      }
    }
  }

  private static void serve(Lane lane, Exchange exchange) throws IOException {
    var body = exchange.body();
    for (var wire : ModelWire.all()) {
      if (exchange.method().equals("POST") && wire.asksModel(exchange.path())) {
        answer(lane, wire, body, exchange);
        return;
      }
      var other = wire.other(exchange.path(), body);
      if (other.isPresent()) {
        exchange.json(200, other.get());
        return;
      }
    }
    if (LaneState.serves(lane, exchange, body)) {
      return;
    }
    lane.stray(exchange.method() + " " + exchange.path());
    exchange.json(404, Json.object("error", "nothing here"));
  }

  private static void answer(Lane lane, ModelWire wire, String body, Exchange exchange)
      throws IOException {
    JsonNode json;
    try {
      json = Json.MAPPER.readTree(body);
    } catch (JacksonException e) {
      exchange.json(400, wire.error(400, "not JSON: " + e.getOriginalMessage()));
      return;
    }
    var faults = lane.unexpected(wire.faults(json));
    if (!faults.isEmpty()) {
      lane.refused(faults, body);
      exchange.json(400, wire.error(400, String.join("; ", faults)));
      return;
    }
    var request = wire.read(exchange.path(), json);
    var taken = lane.take(body, request);
    var player = new Player(wire, request, exchange);
    try {
      taken.settle(player.play(taken.step()));
    } catch (IOException e) {
      taken.settle(Outcome.ABANDONED); // the agent closed the connection
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      taken.settle(Outcome.REFUSED); // the server is closing
    } catch (IllegalStateException e) {
      taken.settle(Outcome.REFUSED); // the script asks for a tool this agent does not offer
      player.refuse(400, String.valueOf(e.getMessage()));
    }
  }
}
