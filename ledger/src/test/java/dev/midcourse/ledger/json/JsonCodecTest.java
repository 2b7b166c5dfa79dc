package dev.midcourse.ledger.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.IdlePeriod;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.ReceiptRung;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.watch.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonCodecTest {
  private static final Instant NOON = Instant.parse("2026-02-03T12:00:00.000000001Z");
  private static final SteerId STEER = SteerId.of("0f8fad5b-d9cb-469f-a165-70867728950e");
  private static final Author LEAD = new Author(GroupName.of("andy-developer"), "http");

  @Test
  void a_receipt_has_the_field_names_of_the_interfaces() {
    Receipt receipt =
        new Receipt(
            STEER,
            RunId.of("fix-it"),
            3,
            1,
            SteerMode.FOLLOW_UP,
            Optional.of(SteerMode.STEER),
            LEAD,
            "say \"hi\"",
            0,
            Rung.ACCEPTED,
            List.of(
                new ReceiptRung(Rung.STORED, NOON, 0, 0, "committed"),
                new ReceiptRung(Rung.ACCEPTED, NOON.plusMillis(5), 5, 1, "ack")),
            Optional.of(SteerEnd.CARRIED),
            Optional.of(NOON),
            Optional.of(0L),
            Optional.of("turn 2"),
            Optional.of("the turn ended first"),
            Optional.empty(),
            Optional.empty());
    assertThat(JsonCodec.write(receipt))
        .isEqualTo(
            oneLine(
                """
                {"steer_id":"0f8fad5b-d9cb-469f-a165-70867728950e","run_id":"fix-it","seq":3,
                "attempt":1,"mode":"follow_up","delivered_mode":"steer",
                "author":{"group":"andy-developer","origin":"http"},"text":"say \\"hi\\"",
                "edits":0,"rung":"accepted","rungs":[
                {"rung":"stored","at":"2026-02-03T12:00:00.000000001Z","after_ms":0,"attempt":0,
                "evidence":"committed"},
                {"rung":"accepted","at":"2026-02-03T12:00:00.005000001Z","after_ms":5,"attempt":1,
                "evidence":"ack"}],"ended":"carried","ended_at":"2026-02-03T12:00:00.000000001Z",
                "ended_after_ms":0,
                "carried_to":"turn 2","reason":"the turn ended first"}
                """));
  }

  @Test
  void a_run_has_the_field_names_of_the_interfaces() {
    assertThat(JsonCodec.write(RunView.of(run(), Optional.of(0))))
        .isEqualTo(
            oneLine(
                """
                {"run_id":"fix-it","state":"failed_contract","agent":"rehearsal",
                "worker":"jarvis-worker-1","dir":"/w",
                "author":{"group":"andy-developer","origin":"http"},"prompt":"fix","attempt":2,
                "turn":4,"session_id":"s:1","progress":{"phase":"editing","summary":"one",
                "tool":"bash","seq":7,"at":"2026-02-03T12:00:00.000000001Z"},"needs":"review",
                "steers":5,"spent":{"input_tokens":10,"output_tokens":20,"cost_usd":0.000030},
                "created_at":"2026-02-03T12:00:00.000000001Z",
                "started_at":"2026-02-03T12:00:00.000000001Z",
                "ended_at":"2026-02-03T12:00:00.000000001Z","result":"done",
                "parent_run_id":"before","stop_asked":true,
                "not_before":"2026-02-03T12:00:00.000000001Z","place_in_queue":0,"linger":"PT10M",
                "idle_since":"2026-02-03T12:00:00.000000001Z",
                "idle_until":"2026-02-03T12:10:00.000000001Z"}
                """));
    assertThat(JsonCodec.write(RunView.of(Run.queued(RunId.of("r"), run().spec(), NOON))))
        .doesNotContain("null", "progress", "place_in_queue", "ended_at");
  }

  @Test
  void events_name_their_fields_as_the_api_does() {
    assertThat(
            JsonCodec.write(new RunEvent.SteerStored(STEER, 1, SteerMode.INTERRUPT, LEAD, "é😀\n")))
        .isEqualTo(
            oneLine(
                """
                {"steer_id":"0f8fad5b-d9cb-469f-a165-70867728950e","seq":1,"mode":"interrupt",
                "author":{"group":"andy-developer","origin":"http"},"text":"é😀\\n"}
                """));
    assertThat(
            JsonCodec.write(
                new RunEvent.ToolStarted(
                    1, "c", "bash", "sleep", Optional.of(Duration.ofSeconds(90)))))
        .isEqualTo(
            oneLine(
                """
                {"attempt":1,"call":"c","tool":"bash","summary":"sleep",
                "declared_timeout":"PT1M30S"}
                """));
    assertThat(JsonCodec.write(new RunEvent.SessionNamed(1, SessionId.of("s"))))
        .isEqualTo("{\"attempt\":1,\"session_id\":\"s\"}");
    assertThat(JsonCodec.write(new RunEvent.Used(1, new Usage(1, 2, 3_000_000))))
        .isEqualTo(
            "{\"attempt\":1,\"more\":{\"input_tokens\":1,\"output_tokens\":2,"
                + "\"cost_usd\":3.000000}}");
    assertThat(JsonCodec.write(new RunEvent.RunEnded(1, RunState.DONE, "r", 0)))
        .isEqualTo("{\"attempt\":1,\"state\":\"done\",\"result\":\"r\",\"processes_ended\":0}");
    assertThat(JsonCodec.write(new RunEvent.Interrupting(1, 2, Optional.empty())))
        .isEqualTo("{\"attempt\":1,\"turn\":2}");
  }

  /** This form is in the API and in stored attempts. */
  @Test
  void capabilities_are_one_boolean_each() {
    String json =
        oneLine(
            """
            {"mid_turn_steer":true,"accepted_evidence":false,"injected_evidence":false,
            "ignores_repeated_id":false,"interrupt":true,"interrupt_ends_tools":false,
            "keeps_pending_on_interrupt":false,"withdraw":false,"resume":false,"barrier":false,
            "reports_cost":false,"blocks_tools":false,"asks_permission":true}
            """);
    Capabilities three =
        Capabilities.of(
            Capability.MID_TURN_STEER, Capability.INTERRUPT, Capability.ASKS_PERMISSION);
    assertThat(JsonCodec.write(three)).isEqualTo(json);
    assertThat(JsonCodec.mapper().readValue(json, Capabilities.class)).isEqualTo(three);
    assertThat(JsonCodec.mapper().readValue("{\"resume\":true,\"flies\":true}", Capabilities.class))
        .isEqualTo(Capabilities.of(Capability.RESUME));
  }

  private static Run run() {
    return new Run(
        RunId.of("fix-it"),
        new RunSpec(
            "fix",
            AgentName.of("rehearsal"),
            WorkerName.of("jarvis-worker-1"),
            "/w",
            LEAD,
            PendingPolicy.ALL,
            5,
            Optional.empty(),
            Optional.of(RunId.of("before")),
            Optional.empty(),
            Optional.of(Duration.ofMinutes(10))),
        RunState.FAILED_CONTRACT,
        2,
        0,
        Optional.of(NOON),
        4,
        Optional.of(SessionId.of("s:1")),
        Optional.of(new Lease(HostName.of("here"), NOON)),
        true,
        false,
        Optional.of(new Progress("editing", "one", Optional.of("bash"), 7, NOON)),
        Optional.of(new Need.Review()),
        5,
        new Usage(10, 20, 30),
        NOON,
        Optional.of(NOON),
        Optional.of(NOON),
        Optional.of("done"),
        Optional.of(IdlePeriod.after(NOON, Duration.ofMinutes(10))),
        Duration.ZERO);
  }

  private static String oneLine(String json) {
    return json.replace("\n", "");
  }
}
