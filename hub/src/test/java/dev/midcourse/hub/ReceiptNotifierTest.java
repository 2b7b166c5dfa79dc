package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.Transition;
import dev.midcourse.core.event.SteerEvents;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerTransitions;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Receipts in the mailbox of a lead whose hub is killed and restarted. */
class ReceiptNotifierTest extends MailboxFixture {
  private static final int BURST = 300;
  private static final String MAILBOX = "dev.midcourse.hub.mailbox";

  @BeforeEach
  void aSteerLiesThere() throws Exception {
    worker = data.resolve("ipc/jarvis-worker-2");
    started("sync-1");
    progress("sync-1", 1, "working");
    task("1.json", steer("sync-1", "use tabs"));
    awaitSteer("sync-1");
    awaitReceipt("offered");
  }

  /** Seen to fail when ReceiptNotifier begins with the newest event of the log. */
  @Test
  @Tag("slow")
  void a_receipt_that_changed_while_no_hub_was_up_is_brought_by_the_next_and_no_other_again()
      throws Exception {
    fixture.close();
    try (HubProcess hub = HubProcess.start(data, "--port", "0").up()) {
      task("2.json", steer("sync-1", "and spaces"));
      awaitMessage("receipt", it -> it.path("in_reply_to").asString().equals("2.json"));
      hub.kill();
    }
    raiseWhileNoHubIsUp();
    List<JsonNode> before = broughtAgain("offered");
    fixture = HubFixture.asTheFileSays(data);
    awaitReceipt("accepted");
    assertThat(broughtAgain("offered")).isEqualTo(before);
  }

  /** Seen to fail when a message about an event is numbered like any other message. */
  @Test
  void a_receipt_delivered_again_after_a_crash_is_one_file() throws Exception {
    fixture.close();
    List<JsonNode> before = broughtAgain("offered");
    assertThat(before).hasSize(1);
    try (Ledger ledger = ledger()) {
      assertThat(storedCursor(ledger)).isPositive();
      ledger.write(tx -> {
        tx.putSetting(cursorSetting(), "0");
        return true;
      });
    }
    fixture = HubFixture.asTheFileSays(data);
    await().atMost(LONG).until(() -> storedCursor(fixture.hub().engine().ledger()) > 0);
    assertThat(broughtAgain("offered")).isEqualTo(before);
  }

  /** Seen to fail when ReceiptNotifier does not handle edits. */
  @Test
  void a_receipt_that_a_person_changed_is_brought_too() throws Exception {
    task("later.json", steer("sync-1", "then rest").replace("{", "{\"mode\":\"follow_up\","));
    JsonNode stored =
        awaitMessage("receipt", it -> it.path("in_reply_to").asString().equals("later.json"));
    String path = "/api/v1/steers/" + stored.path("steer_id").asString();
    assertThat(fixture.socket().ask("PATCH", path, "{\"text\":\"then sleep\"}").status())
        .isEqualTo(200);
    awaitMessage("receipt", it -> it.path("receipt").path("text").asString().equals("then sleep"));
  }

  /** Seen to fail when a message that could not be written is dropped. */
  @Test
  void a_receipt_that_could_not_be_written_is_brought_when_it_can() throws Exception {
    SteerId steer = SteerId.of(awaitSteer("sync-1").path("steer_id").asString());
    Path away = Files.move(lead.resolve("input"), lead.resolve("away"));
    try (LogMessages log = LogMessages.of(MAILBOX)) {
      ack("sync-1", steer.value(), "now");
      log.await(ReceiptNotifierTest::isFailedReceipt);
    }
    await()
        .atMost(LONG)
        .until(() ->
            fixture
                .hub()
                .engine()
                .ledger()
                .read(r -> r.steer(steer))
                .orElseThrow()
                .reached(Rung.INJECTED));
    Files.move(away, lead.resolve("input"));
    awaitReceipt("injected");
  }

  /** Seen to fail when a receipt does not wait for the answer to the task of its steer. */
  @Test
  void the_answer_to_a_task_comes_before_the_receipts_of_its_steer() throws Exception {
    Path away = Files.move(lead.resolve("input"), lead.resolve("away"));
    try (LogMessages log = LogMessages.of(MAILBOX)) {
      task("2.json", steer("sync-1", "and spaces"));
      log.await(ReceiptNotifierTest::isFailedReceipt); // the answer, which is retried after a delay
    }
    String second = steers("sync-1").getLast().path("steer_id").asString();
    Files.move(away, lead.resolve("input"));
    ack("sync-1", awaitSteer("sync-1").path("steer_id").asString(), "now");
    awaitMessage(
        "receipt",
        it ->
            it.path("steer_id").asString().equals(second)
                && it.path("in_reply_to").isMissingNode());
    assertThat(messages("receipt"))
        .anyMatch(it -> it.path("in_reply_to").asString().equals("2.json"));
  }

  /** UnansweredTasksTest checks the order between answers and receipts. */
  @Test
  void every_task_of_a_burst_has_one_answer_and_every_other_receipt_comes_too() throws Exception {
    worker = data.resolve("ipc/jarvis-worker-1"); // with it the newest steer replaces the others
    started("sync-2");
    fixture.close();
    clear();
    for (int i = 0; i < BURST; i++) {
      task("burst-%03d.json".formatted(i), steer("sync-2", "remark " + i));
    }
    fixture = HubFixture.asTheFileSays(data);
    await()
        .atMost(LONG)
        .until(() -> messages("receipt").filter(it -> !it.has("in_reply_to")).count() >= BURST - 1);
    await().atMost(LONG).until(() -> files(lead.resolve("tasks")).isEmpty());
    assertThat(messages("receipt").filter(it -> it.has("in_reply_to")))
        .extracting(it -> it.path("in_reply_to").asString())
        .doesNotHaveDuplicates()
        .hasSize(BURST);
  }

  /** Stores a rung as if the hub had been killed after the commit and before any notification. */
  private void raiseWhileNoHubIsUp() throws IOException {
    SteerId id = SteerId.of(awaitSteer("sync-1").path("steer_id").asString());
    try (Ledger ledger = ledger()) {
      Steer steer = ledger.read(r -> r.steer(id)).orElseThrow();
      Transition<Steer> outcome =
          SteerTransitions.apply(
              steer, new SteerChange.Accepted(1, Instant.now(), "the worker's ack"));
      assertThat(outcome).isInstanceOf(Transition.Changed.class);
      Steer raised = ((Transition.Changed<Steer>) outcome).next();
      ledger.write(tx -> {
        tx.put(raised);
        SteerEvents.between(steer, raised)
            .forEach(event -> tx.append(steer.run(), Instant.now(), event));
        return id;
      });
    }
  }

  /** Returns the stored position of the log up to which receipts were delivered. */
  private long storedCursor(Ledger ledger) {
    return ledger.read(r -> r.setting(cursorSetting())).map(Long::parseLong).orElseThrow();
  }

  private String cursorSetting() {
    try {
      return "receipts." + Files.readString(data.resolve("host")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Ledger ledger() {
    return SqliteLedger.open(data.resolve("midcourse.db"));
  }

  /** Returns the messages about the first steer at this rung, without the answer to its task. */
  private List<JsonNode> broughtAgain(String rung) {
    return messages("receipt")
        .filter(message -> !message.has("in_reply_to"))
        .filter(message -> message.path("receipt").path("text").asString().equals("use tabs"))
        .filter(message -> message.path("receipt").path("rung").asString().equals(rung))
        .toList();
  }

  private static boolean isFailedReceipt(String message) {
    return message.contains("-receipt.json for group andy-developer failed");
  }
}
