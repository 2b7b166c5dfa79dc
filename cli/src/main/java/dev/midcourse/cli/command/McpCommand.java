package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.command.run.DispatchCommand;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the hub's tools to an agent on this machine. Sends each line of standard input to the hub
 * and prints the response. The hub identifies the caller.
 */
final class McpCommand extends Command {
  private static final long INTERNAL = -32603;
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}";

  McpCommand() {
    super(
        new CommandSpec(
            "mcp",
            CommandSpec.Group.MORE,
            "serve the tools of the hub to an agent (Model Context Protocol on standard input and"
                + " output)",
            """
            An agent that Midcourse runs needs no --as: its group is the name of its worker. Tools: \
            dispatch_run, steer_run, list_runs, show_run, stop_run, review_run, answer_ask, \
            withdraw_steer, schedule_task, list_tasks, update_task, pause_task, resume_task, \
            cancel_task. The agent of a conversation also has send_message, send_file, edit_message, \
            add_reaction, ask_user_question, and gets this server from Midcourse.
            """,
            List.of(),
            List.of(DispatchCommand.AS),
            List.of(
                new Example(
                    "claude mcp add --scope user midcourse -- midcourse mcp",
                    "add the tools to Claude Code"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws IOException {
    StringBuilder path = new StringBuilder("/mcp");
    arguments.value(DispatchCommand.AS).ifPresent(as -> DispatchCommand.query(path, "as", as));
    HubClient hub = new HubStarter(shell).client();
    if (arguments.has(DispatchCommand.AS)) {
      checkCaller(hub, path.toString());
    }
    try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String message = line;
        if (!message.isBlank()) {
          calls.execute(() -> pass(hub, path.toString(), message, shell.out()));
        }
      }
    }
    return ExitCode.DONE;
  }

  /**
   * Sends one ping, so that a caller that the hub does not know gets an error at the start and not
   * with every response.
   */
  private static void checkCaller(HubClient hub, String path) {
    try {
      hub.exchange(path, PING);
    } catch (Failure failure) {
      if (failure.code() != ExitCode.NO_HUB) {
        throw failure;
      }
    }
  }

  /**
   * Sends one message and prints the response. Runs on a thread of its own, so that a slow call
   * does not delay others.
   */
  private static void pass(HubClient hub, String path, String message, PrintStream out) {
    answer(hub, path, message)
        .ifPresent(answer -> {
          synchronized (out) {
            out.print(answer + "\n");
            out.flush();
          }
        });
  }

  /**
   * Returns the response of the hub. If the hub cannot be reached, a request with an id gets a
   * JSON-RPC error.
   */
  private static Optional<String> answer(HubClient hub, String path, String message) {
    try {
      return hub.exchange(path, message);
    } catch (Failure failure) {
      return id(message)
          .map(id ->
              JsonValue.Obj.EMPTY
                  .with("jsonrpc", "2.0")
                  .with("id", id)
                  .with(
                      "error",
                      JsonValue.Obj.EMPTY.with("code", INTERNAL).with("message", failure.what()))
                  .toString());
    }
  }

  private static Optional<JsonValue> id(String message) {
    try {
      return Optional.ofNullable(JsonReader.readObject(message).fields().get("id"));
    } catch (JsonException notJson) {
      return Optional.empty();
    }
  }
}
