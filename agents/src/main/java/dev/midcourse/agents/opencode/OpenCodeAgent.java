package dev.midcourse.agents.opencode;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.hosted.HostedDriver.HostedAgent;
import dev.midcourse.agents.hosted.ProcessTermination;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.output.OutputListener;
import dev.midcourse.agents.process.output.Tail;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A hosted OpenCode server and one session in it. All events pass through one queue to one thread.
 * Only this thread reads the log and calls the listener. {@code Exited} is the last event.
 */
final class OpenCodeAgent implements HostedAgent, OutputListener {
  private static final System.Logger LOG = System.getLogger(OpenCodeAgent.class.getName());
  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");

  /** The timeout of a request. A message that is sent again has no second effect. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** The exit code of a program that Midcourse ended because it cannot do its task. */
  private static final int FATAL_EXIT_CODE = 1;

  private static final int UNKNOWN_EXIT_CODE = -1;

  private static final Duration SHORT_CHECK_INTERVAL = Duration.ofMillis(40);
  private static final Duration TURN_CHECK_INTERVAL = Duration.ofMillis(400);
  private static final Duration IDLE_CHECK_INTERVAL = Duration.ofSeconds(5);

  /** The messages to the thread of this agent. */
  private sealed interface AgentMessage {
    record ServerReady(URI url) implements AgentMessage {}

    record Entry(ObjectNode entry) implements AgentMessage {}

    record StreamEnded() implements AgentMessage {}

    record Interrupting() implements AgentMessage {}

    record Barrier(String name) implements AgentMessage {}

    record Refused(SteerId steer, String why) implements AgentMessage {}

    record Gone(ProcessExit exit) implements AgentMessage {}

    record Useless(String why) implements AgentMessage {}

    record Wake() implements AgentMessage {}
  }

  private final HostedProcess program;
  private final OpenCodeStartup arrival;
  private final OpenCodeEventLog log;
  private final AgentListener listener;
  private final BlockingQueue<AgentMessage> messages = new LinkedBlockingQueue<>();
  private final StringBuilder output = new StringBuilder();
  private long readTo;
  private volatile @Nullable OpenCodeServer server;
  private volatile @Nullable Tail following;
  private volatile boolean over;

  OpenCodeAgent(
      HostedProcess program,
      OpenCodeStartup arrival,
      OpenCodeEventLog log,
      OutputCheckpoint from,
      AgentListener listener) {
    this.program = program;
    this.arrival = arrival;
    this.log = log;
    this.readTo = from.offset();
    this.listener = listener;
  }

  /** Writes nothing, because the server reports its address by itself. */
  @Override
  public void greet() {}

  @Override
  public void listen() {
    Thread.startVirtualThread(this::attend);
    try {
      following = program.follow(OutputFile.OUT, 0, this);
    } catch (IOException failure) {
      failed(failure);
    }
  }

  // ---- the output of the program, which contains the address of the server

  @Override
  public void bytes(byte[] chunk, long offsetAfter) {
    if (server != null || output.length() > 100_000) {
      return;
    }
    output.append(new String(chunk, StandardCharsets.UTF_8));
    Matcher line = LISTENING.matcher(output);
    if (line.find() && output.indexOf("\n", line.end()) >= 0) {
      messages.add(new AgentMessage.ServerReady(URI.create(line.group(1))));
      output.setLength(0);
    }
  }

  @Override
  public void exited(ProcessExit exit) {
    messages.add(new AgentMessage.Gone(exit));
  }

  @Override
  public void failed(IOException failure) {
    messages.add(
        new AgentMessage.Useless(
            "its output could not be read any further: " + failure.getMessage()));
  }

  // ---- reading: one thread

  private void attend() {
    try {
      while (!over) {
        AgentMessage message = messages.poll(checkInterval().toMillis(), TimeUnit.MILLISECONDS);
        try {
          if (message != null) {
            take(message);
          } else {
            look();
          }
        } catch (IOException unanswered) {
          // If the server has exited, the next message says so; otherwise the request is repeated.
          LOG.log(Level.DEBUG, "OpenCode did not answer a request; it is repeated.", unanswered);
          Thread.sleep(SHORT_CHECK_INTERVAL);
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } finally {
      release();
    }
  }

  private void take(AgentMessage message) throws IOException, InterruptedException {
    switch (message) {
      case AgentMessage.ServerReady(URI url) -> openSession(new OpenCodeServer(url, arrival.ids()));
      case AgentMessage.Entry(ObjectNode entry) -> report(read(List.of(entry)));
      case AgentMessage.StreamEnded() -> {
        Thread.sleep(SHORT_CHECK_INTERVAL);
        follow();
      }
      case AgentMessage.Interrupting() -> log.interrupted();
      case AgentMessage.Barrier(String name) -> {
        catchUp();
        report(List.of(new AgentEvent.BarrierPassed(name)));
      }
      case AgentMessage.Refused(SteerId steer, String why) ->
          report(List.of(new AgentEvent.SteerRefused(steer, why)));
      case AgentMessage.Gone(ProcessExit exit) -> {
        report(List.of(ProcessTermination.exited(program, exit)));
        over = true;
      }
      case AgentMessage.Useless(String why) -> giveUp(UNKNOWN_EXIT_CODE, why);
      case AgentMessage.Wake() -> {}
    }
  }

  private void openSession(OpenCodeServer there) throws InterruptedException {
    try {
      if (!log.isStarted()) {
        OpenCodeStartup.Ready ready = arrival.at(there);
        server = there;
        ready.before().forEach(entry -> readTo = Math.max(readTo, OpenCodeStartup.seq(entry)));
        report(log.started(ready.version(), ready.before()));
      }
      server = there;
      follow();
    } catch (OpenCodeStartup.UnusableServerException unusable) {
      giveUp(FATAL_EXIT_CODE, unusable.why());
    } catch (IOException unanswered) {
      LOG.log(Level.DEBUG, "OpenCode did not answer at its start; trying again.", unanswered);
      Thread.sleep(SHORT_CHECK_INTERVAL);
      if (program.exit().isEmpty()) {
        messages.add(new AgentMessage.ServerReady(there.url()));
      }
    }
  }

  private void follow() {
    OpenCodeServer there = server;
    if (there == null || over || program.exit().isPresent()) {
      return;
    }
    long after = readTo;
    Thread.startVirtualThread(() -> {
      try {
        there.follow(after, entry -> messages.add(new AgentMessage.Entry(entry)), () -> !over);
      } catch (IOException broken) {
        LOG.log(Level.DEBUG, "The event stream of OpenCode ended; following it again.", broken);
      } catch (InterruptedException asked) {
        Thread.currentThread().interrupt();
      }
      messages.add(new AgentMessage.StreamEnded());
    });
  }

  private List<AgentEvent> read(List<? extends JsonNode> entries) {
    return entries.stream()
        .filter(entry -> OpenCodeStartup.seq(entry) > readTo)
        .flatMap(entry -> {
          readTo = OpenCodeStartup.seq(entry);
          return log.read(entry).stream();
        })
        .toList();
  }

  /** Reads and reports the new entries of the log. Returns whether there were any. */
  private boolean catchUp() throws IOException, InterruptedException {
    OpenCodeServer there = server;
    if (there == null) {
      return false;
    }
    long before = readTo;
    report(read(OpenCodeStartup.history(there, readTo)));
    return readTo > before;
  }

  /**
   * Requests the state that is not in the log: the open permission requests, and whether a turn
   * runs.
   */
  private void look() throws IOException, InterruptedException {
    OpenCodeServer there = server;
    if (there == null || over) {
      return;
    }
    if (log.isWorking()) {
      boolean idle = !there.get("/api/session/active").body().path("data").has(session(there));
      report(log.waitsFor(there.get(there.session("/permission")).body().path("data")));
      if (idle && !catchUp()) {
        report(log.idle());
      }
    }
    Optional<String> left = log.left();
    if (left.isPresent()) {
      sendAgain(there, left.get());
    }
  }

  private static String session(OpenCodeServer there) {
    return there.ids().session();
  }

  /**
   * Sends a held message again, because an idle OpenCode uses its held messages only after that.
   */
  private void sendAgain(OpenCodeServer there, String message)
      throws IOException, InterruptedException {
    for (JsonNode entry : OpenCodeStartup.history(there, 0)) {
      JsonNode data = entry.path("data");
      if (ProtocolJson.text(data, "messageID").equals(message)) {
        there.post(
            there.session("/prompt"),
            message(message, ProtocolJson.text(data.path("prompt"), "text")),
            TIMEOUT);
        return;
      }
    }
  }

  private Duration checkInterval() {
    if (log.isWorking()) {
      return log.mayBeOver() ? SHORT_CHECK_INTERVAL : TURN_CHECK_INTERVAL;
    }
    return log.left().isPresent() ? TURN_CHECK_INTERVAL : IDLE_CHECK_INTERVAL;
  }

  private void report(List<AgentEvent> events) {
    if (events.isEmpty() || over) {
      return;
    }
    try {
      listener.onEvents(new AgentEventBatch(events, new OutputCheckpoint(readTo, log.memo())));
    } catch (RuntimeException brokenListener) {
      LOG.log(
          Level.ERROR,
          "The events of the agent in "
              + program.folder().path()
              + " could not be handed over. Its output is no longer read; the program keeps"
              + " running, and the next hub reads on from the last stored event.",
          brokenListener);
      over = true;
    }
  }

  /** Ends the program before its exit is reported, so that the report is true. */
  private void giveUp(int code, String why) {
    try {
      end(StopTimeouts.IMMEDIATE);
    } catch (IllegalStateException alive) {
      LOG.log(
          Level.ERROR,
          "The failed agent in "
              + program.folder().path()
              + " could not be ended. Its exit is reported anyway; its processes may still run.",
          alive);
    }
    report(List.of(new AgentEvent.Exited(code, why)));
    over = true;
  }

  // ---- writing

  @Override
  public long pid() {
    return program.pid();
  }

  @Override
  public WriteResult prompt(int number, String message) {
    return post("/prompt", message(arrival.ids().opening(number), message), _ -> {});
  }

  @Override
  public WriteResult steer(SteerId steer, String message) {
    return post(
        "/prompt",
        message(arrival.ids().message(steer), message),
        why -> messages.add(new AgentMessage.Refused(steer, why)));
  }

  private static ObjectNode message(String id, String text) {
    ObjectNode message = ProtocolJson.object().put("id", id).put("delivery", "steer");
    message.putObject("prompt").put("text", text);
    return message;
  }

  @Override
  public WriteResult interrupt() {
    messages.add(new AgentMessage.Interrupting());
    return post("/interrupt", ProtocolJson.object(), _ -> {});
  }

  /** OpenCode cannot return a message. */
  @Override
  public WriteResult withdraw(SteerId steer) {
    return WriteResult.UNSUPPORTED;
  }

  @Override
  public WriteResult answer(String ask, AskAnswer answer) {
    ObjectNode reply =
        switch (answer) {
          case AskAnswer.Allow() -> ProtocolJson.object().put("reply", "once");
          case AskAnswer.Deny(String why) -> rejection(why);
          case AskAnswer.Words(String text) -> rejection(text);
        };
    return post("/permission/" + ask + "/reply", reply, _ -> {});
  }

  /** Always sends a message, because OpenCode ends its turn on a rejection without one. */
  private static ObjectNode rejection(String why) {
    String words = why.isBlank() ? "This was not allowed." : why;
    return ProtocolJson.object().put("reply", "reject").put("message", words);
  }

  /** OpenCode has answered all earlier requests, so it is enough to read the log. */
  @Override
  public WriteResult barrier(String name) {
    messages.add(new AgentMessage.Barrier(name));
    return WriteResult.WRITTEN;
  }

  private WriteResult post(String what, ObjectNode body, Consumer<String> refused) {
    OpenCodeServer there = server;
    if (there == null) {
      return WriteResult.INPUT_FULL;
    }
    try {
      OpenCodeServer.ServerResponse reply = there.post(there.session(what), body, TIMEOUT);
      if (!reply.isGood()) {
        LOG.log(
            Level.WARNING,
            "OpenCode refused the request {0}: {1}. It is not sent again.",
            what,
            reply.describe());
        refused.accept(reply.describe());
      }
      messages.add(new AgentMessage.Wake());
      return WriteResult.WRITTEN;
    } catch (ConnectException gone) {
      return WriteResult.EXITED;
    } catch (HttpTimeoutException slow) {
      return WriteResult.INPUT_FULL;
    } catch (IOException broken) {
      return program.exit().isPresent() ? WriteResult.EXITED : WriteResult.INPUT_FULL;
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return WriteResult.INPUT_FULL;
    }
  }

  // ---- the end

  @Override
  public StopResult end(StopTimeouts timeouts) {
    return ProcessTermination.end(program, timeouts.withoutAsk(), () -> {});
  }

  @Override
  public void detach() {
    over = true;
    messages.add(new AgentMessage.Wake());
    release();
  }

  /**
   * Closes in another thread: closing waits for the reader of the output, and the reader may wait
   * for the caller.
   */
  private void release() {
    Tail file = following;
    Thread.startVirtualThread(() -> {
      if (file != null) {
        file.close();
      }
      program.close();
    });
  }
}
