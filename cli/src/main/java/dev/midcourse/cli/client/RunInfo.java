package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.RunState;
import java.time.Instant;
import java.util.Optional;

/** A run as the hub returns it. */
public record RunInfo(JsonValue.Obj json) {

  public String id() {
    return json.text("run_id").orElse("");
  }

  /** Returns the state's name in the API. */
  public String state() {
    return json.text("state").orElse("");
  }

  /** Returns the state; empty for a state that this version does not know. */
  public Optional<RunState> knownState() {
    return ExitCode.named(RunState.values(), state());
  }

  public boolean live() {
    return knownState().map(RunState::live).orElse(false);
  }

  public String agent() {
    return json.text("agent").orElse("");
  }

  public String worker() {
    return json.text("worker").orElse("");
  }

  public String prompt() {
    return json.text("prompt").orElse("");
  }

  public long number(String name) {
    return json.number(name).orElse(0L);
  }

  public Optional<String> text(String name) {
    return json.text(name).filter(text -> !text.isBlank());
  }

  public Optional<Instant> at(String name) {
    return json.text(name).flatMap(HubTimes::of);
  }

  public JsonValue.Obj progress() {
    return json.object("progress");
  }

  public Optional<Instant> progressAt() {
    return progress().text("at").flatMap(HubTimes::of);
  }

  /** Returns the current activity of the agent in one line. */
  public Optional<String> doing() {
    JsonValue.Obj progress = progress();
    Optional<String> summary = progress.text("summary").filter(text -> !text.isBlank());
    Optional<String> tool = progress.text("tool").filter(text -> !text.isBlank());
    return tool.isPresent()
        ? Optional.of(tool.get() + summary.map(text -> ": " + text).orElse(""))
        : summary.or(() -> progress.text("phase"));
  }

  /** Returns the kind of the question that the agent waits for; empty if it waits for none. */
  public Optional<AskKind> waitsFor() {
    return text("needs")
        .map(Need::parse)
        .flatMap(need ->
            need instanceof Need.Answer(AskKind kind) ? Optional.of(kind) : Optional.empty());
  }

  public double dollars() {
    return json.object("spent").decimal("cost_usd").orElse(0.0);
  }

  public long tokens(String direction) {
    return json.object("spent").number(direction + "_tokens").orElse(0L);
  }

  public ExitCode exitCode() {
    return knownState().map(ExitCode::of).orElse(ExitCode.FAILED);
  }
}
