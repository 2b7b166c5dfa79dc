package dev.midcourse.proof.chat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.finding.FindingState;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Autopilot loops in a chat: started, steered, reviewed and ended by its people. */
class AutopilotInChatTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String GIT = "git -c user.name=R -c user.email=r@localhost ";

  @TempDir private Path data;
  @TempDir private Path repository;
  private Hub hub;
  private TerminalChat chat;

  @BeforeEach
  void open() throws Exception {
    sh("git init -q -b main && " + GIT + "commit -q --allow-empty -m First");
    Files.writeString(
        data.resolve("midcourse.toml"),
        "[workers.andy]\nagent = \"rehearsal\"\nchat_folder = \"" + repository + "\"\n");
    start();
    chat.write("/autopilot status");
    awaitText("Send the command again");
  }

  private void start() {
    hub = Hub.start(SettingsFile.read(data).withPort(0));
    chat = new TerminalChat(hub, data);
  }

  @AfterEach
  void close() {
    hub.close();
  }

  private String sh(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-ec", command)
            .directory(repository.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.strip();
  }

  private static String commits(String text) {
    return "$ echo '%s' > app.txt; git add -A; %scommit -qm 'write %s'".formatted(text, GIT, text);
  }

  private void awaitText(String part) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(chat.texts()).anyMatch(it -> it.contains(part)));
  }

  private void awaitCard(Predicate<OutboundContent.Card> which) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThat(chat.newestCard())
                .as(() -> chat.texts() + " " + loops())
                .hasValueSatisfying(sent ->
                    assertThat(which.test((OutboundContent.Card) sent.content())).isTrue()));
  }

  private static Predicate<OutboundContent.Card> titled(String part) {
    return card -> card.title().contains(part);
  }

  private List<Loop> loops() {
    return hub.engine().ledger().read(reading -> reading.loops().newest(10));
  }

  private Loop loop() {
    return loops().getFirst();
  }

  /** Seen to fail when a click on an earlier card is carried out. */
  @Test
  void a_loop_is_started_steered_and_reviewed_in_the_chat() throws Exception {
    chat.write("/autopilot --reviewer me Write it.\n" + commits("wrong"));
    awaitText("Started loop");
    awaitCard(titled("waits for your review"));
    String first = loop().head().orElseThrow();
    chat.write("/autopilot steer --fix\n" + commits("right"));
    awaitText("Your words: held for fix 1");
    chat.replyToCard("app.txt:1: minor: The word is wrong");
    awaitCard(card ->
        !loop().head().orElseThrow().equals(first)
            && card.markdown().contains(loop().head().orElseThrow().substring(0, 10)));
    assertThat(loop().findings().all().getFirst().state()).isEqualTo(FindingState.FIXED);
    chat.write("/autopilot findings");
    awaitText("F1 minor fixed: app.txt:1 The word is wrong");
    assertThat(chat.click("Approve")).contains("done");
    awaitText("is done: ");
    assertThat(chat.click("Approve")).startsWith("Already decided: ");
    assertThat(loop().isReviewed()).isTrue();
    assertThat(loop().createdBy().group().value()).isEqualTo("chat");
    assertThat(sh("git show " + loop().spec().branch() + ":app.txt")).isEqualTo("right");
    assertThat(chat.texts()).filteredOn(it -> it.contains("is done: ")).hasSize(1);
  }

  @Test
  void a_parked_loop_asks_with_a_card_that_another_decision_closes() throws Exception {
    chat.write("/autopilot Wait.\n$ sleep 600");
    awaitText("Started loop");
    await().atMost(TIMEOUT).until(() -> loop().phase() == LoopPhase.IMPLEMENT);
    chat.write("/autopilot pause");
    awaitCard(titled("asks you"));
    chat.write("/autopilot go");
    await().atMost(TIMEOUT).until(() -> loop().phase() == LoopPhase.IMPLEMENT);
    await()
        .atMost(TIMEOUT)
        .until(() ->
            chat.outbox().stream()
                .anyMatch(it ->
                    it.content() instanceof OutboundContent.CloseCard closed
                        && closed.markdown().contains("said: go on")));
    assertThat(chat.click("Stop")).startsWith("Already decided: ").contains("said: go on");
    assertThat(loop().phase()).isEqualTo(LoopPhase.IMPLEMENT);
    chat.write("/autopilot stop");
    awaitText("is stopped: ");
  }

  @Test
  void a_question_is_asked_once_also_by_the_next_hub() throws Exception {
    chat.write("/autopilot Wait.\n$ sleep 600");
    awaitText("Started loop");
    await().atMost(TIMEOUT).until(() -> loop().phase() == LoopPhase.IMPLEMENT);
    chat.write("/autopilot pause");
    awaitCard(titled("asks you"));
    hub.close();
    start();
    chat.write("/autopilot status");
    awaitText("parked (paused)");
    assertThat(chat.outbox())
        .filteredOn(it -> it.content() instanceof OutboundContent.Card)
        .hasSize(1);
    assertThat(chat.click("Stop")).contains("stopped");
  }

  @Test
  void a_worker_without_a_clone_starts_no_loop() throws Exception {
    Files.move(repository.resolve(".git"), repository.resolve("not-git"));
    chat.write("/autopilot Write it.");
    awaitText("has no git clone to work in");
    assertThat(loops()).isEmpty();
  }
}
