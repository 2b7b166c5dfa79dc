package dev.midcourse.engine.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundContent.Reaction;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.conversation.tools.AgentMessages;
import dev.midcourse.engine.conversation.tools.FileRequest;
import dev.midcourse.engine.conversation.tools.QuestionRequest;
import dev.midcourse.engine.conversation.tools.QueuedMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent of a conversation can do in its chats, and what it cannot. */
class AgentMessagesTest {
  @TempDir private Path folder;
  private ChatFixture fixture;

  @BeforeEach
  void open() {
    fixture = new ChatFixture(folder);
    fixture.person("ann", PersonRole.MEMBER);
    fixture.chat("dm-ann", ChatKind.DIRECT, false, ChatFixture.WORKER);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private AgentMessages messages() {
    return new AgentMessages(
        fixture.engine.engine().context(), _ -> {}, fixture.service().questions());
  }

  private Run started(String text) {
    fixture.says("ann", text).send();
    Run run = fixture.onlyRun();
    fixture.begins(run);
    return run;
  }

  private OutboundMessage sent(OutboundId id) {
    return fixture.engine.ledger.read(r -> r.chats().outbound(id)).orElseThrow();
  }

  private static void refused(Runnable call, String why) {
    assertThatThrownBy(call::run)
        .isInstanceOf(RefusedException.class)
        .satisfies(e -> assertThat(((RefusedException) e).problems().toString()).contains(why));
  }

  // Messages

  @Test
  void a_message_of_the_agent_goes_to_its_chat_and_the_same_final_answer_is_not_sent_again() {
    Run run = started("fix the login");
    QueuedMessage made =
        messages().send(run.id(), "It is <internal>hm</internal>fixed.", Optional.empty());

    assertThat(made.chat()).isEqualTo("dm-ann");
    assertThat(sent(made.messageId()).run()).contains(run.id());
    fixture.agent.ends("It is fixed.");
    fixture.awaitReaction("m1", MessageStatus.DONE);
    assertThat(fixture.texts("dm-ann")).containsExactly("It is fixed.");
  }

  @Test
  void a_final_answer_that_went_to_another_chat_is_still_sent_to_the_one_that_asked() {
    fixture.chat("ops", ChatKind.GROUP, false, ChatFixture.WORKER);
    Run run = started("tell ops that it is done");
    messages().send(run.id(), "Done", Optional.of("ops"));
    fixture.agent.ends("Done");

    fixture.awaitText("dm-ann", "Done");
    assertThat(fixture.texts("ops")).containsExactly("Done");
  }

  /** Seen to fail when chats of other workers count too. */
  @Test
  void t151_a_destination_is_a_chat_of_the_worker_by_name_or_id_and_nothing_else() {
    fixture.addWorker("b");
    fixture.chat("ops", ChatKind.GROUP, false, ChatFixture.WORKER);
    fixture.chat("board", ChatKind.GROUP, false, WorkerName.of("b"));
    Run run = started("tell ops");
    AgentMessages messages = messages();

    assertThat(sent(messages.send(run.id(), "one", Optional.of("OPS ")).messageId()).to().chat())
        .isEqualTo("ops");
    assertThat(sent(messages.send(run.id(), "two", Optional.of("c-ops")).messageId()).to().chat())
        .isEqualTo("ops");
    for (String other : List.of("board", "c-board", "test:ops", "nowhere", "")) {
      refused(() -> messages.send(run.id(), "three", Optional.of(other)), "ops (c-ops)");
    }
    assertThat(fixture.texts("board")).isEmpty();
  }

  @Test
  void a_name_that_two_chats_have_is_refused() {
    Chat one = fixture.chat("ops-1", ChatKind.GROUP, false, ChatFixture.WORKER);
    Chat two = fixture.chat("ops-2", ChatKind.GROUP, false, ChatFixture.WORKER);
    for (Chat chat : List.of(one, two)) {
      fixture.engine.ledger.write(tx -> {
        tx.chats()
            .put(
                new Chat(
                    chat.id(),
                    chat.channel(),
                    chat.platformId(),
                    Optional.of("Ops"),
                    chat.kind(),
                    chat.threads(),
                    chat.unknownSenders(),
                    chat.createdAt()));
        return chat;
      });
    }
    Run run = started("tell ops");
    refused(() -> messages().send(run.id(), "x", Optional.of("ops")), "use the id");
  }

  @Test
  void text_that_nobody_would_see_or_that_is_no_text_is_refused() {
    Run run = started("fix the login");
    AgentMessages messages = messages();
    refused(
        () -> messages.send(run.id(), "<internal>x</internal>", Optional.empty()), "nothing that");
    refused(() -> messages.send(run.id(), "  ", Optional.empty()), "blank");
    refused(() -> messages.send(run.id(), "a\0b", Optional.empty()), "plain text");
    refused(() -> messages.send(run.id(), "x".repeat(300_000), Optional.empty()), "256 KiB");
    assertThat(fixture.texts("dm-ann")).isEmpty();
  }

  @Test
  void an_agent_in_a_loop_does_not_fill_the_outbox() {
    Run run = started("fix the login");
    AgentMessages messages = messages();
    refused(
        () -> {
          for (int i = 0; i <= AgentMessages.MAX_WAITING; i++) {
            messages.send(run.id(), "part " + i, Optional.empty());
          }
        },
        "too many messages");
    assertThat(fixture.texts("dm-ann")).hasSizeGreaterThan(AgentMessages.MAX_WAITING / 2);
  }

  @Test
  void a_run_without_a_conversation_and_a_run_that_has_ended_send_nothing() {
    Run run = started("fix the login");
    AgentMessages messages = messages();
    assertThat(messages.isInChat(run.id())).isTrue();
    assertThat(messages.isInChat(RunId.of("other"))).isFalse();
    refused(() -> messages.send(RunId.of("other"), "x", Optional.empty()), "not a known run");
    fixture.engine.engine().runs().stop(run.id(), Author.person("test"));
    fixture.engine.awaitState(run.id(), RunState.STOPPED);
    refused(() -> messages.send(run.id(), "x", Optional.empty()), "does not run");
  }

  /**
   * The next turn of a run may be asked for in another thread. Seen to fail when a chat that is
   * named loses its thread.
   */
  @Test
  void t135_a_message_goes_to_the_thread_in_which_the_turn_was_asked_for() {
    Chat group = fixture.chat("g", ChatKind.GROUP, true, ChatFixture.WORKER);
    fixture.says("ann", "fix the login").in(group).thread("t1").mentioned().send();
    Run run = fixture.onlyRun();
    fixture.begins(run);
    QueuedMessage made = messages().send(run.id(), "working", Optional.of("g"));
    assertThat(sent(made.messageId()).to().thread()).contains("t1");
  }

  // Edits

  @Test
  void an_agent_edits_what_its_conversation_sent_and_nothing_else() {
    Run run = started("fix the login");
    AgentMessages messages = messages();
    OutboundId waiting = messages.send(run.id(), "half", Optional.empty()).messageId();
    messages.edit(run.id(), waiting, "whole");
    assertThat(fixture.texts("dm-ann")).containsExactly("whole");

    fixture.engine.ledger.write(tx -> {
      tx.chats()
          .put(tx.chats().outbound(waiting).orElseThrow().sent("p1", fixture.clock.instant()));
      return waiting;
    });
    messages.edit(run.id(), waiting, "more");
    assertThat(fixture.outbox())
        .extracting(OutboundMessage::content)
        .contains(new OutboundContent.Edit(waiting, "more"));

    refused(() -> messages.edit(run.id(), OutboundId.of("unknown"), "x"), "this conversation sent");
    refused(() -> messages.edit(run.id(), waiting, "<internal>x</internal>"), "nothing that");
    OutboundId reaction =
        fixture.outbox().stream()
            .filter(it -> it.content() instanceof Reaction)
            .findFirst()
            .orElseThrow()
            .id();
    refused(() -> messages.edit(run.id(), reaction, "x"), "only text");
  }

  @Test
  void a_message_of_another_conversation_is_not_edited_and_gets_no_reaction() {
    fixture.addWorker("b");
    fixture.person("bob", PersonRole.OWNER);
    fixture.chat("dm-bob", ChatKind.DIRECT, false, WorkerName.of("b"));
    String bobs = fixture.says("bob", "secret").send();
    Run bob = fixture.onlyRun();
    fixture.begins(bob);
    AgentMessages messages = messages();
    OutboundId other = messages.send(bob.id(), "for bob", Optional.empty()).messageId();
    fixture.says("ann", "fix the login").send();
    Run ann = fixture.runs().getLast();
    fixture.begins(ann);

    refused(() -> messages.edit(ann.id(), other, "x"), "this conversation sent");
    long number = fixture.stored("dm-bob", bobs).number();
    refused(() -> messages.react(ann.id(), number, MessageStatus.DONE), "of this conversation");
  }

  @Test
  void a_message_that_was_not_sent_is_not_edited() {
    Run run = started("fix the login");
    AgentMessages messages = messages();
    OutboundId id = messages.send(run.id(), "half", Optional.empty()).messageId();
    fixture.engine.ledger.write(tx -> {
      OutboundMessage queued = tx.chats().outbound(id).orElseThrow();
      tx.chats().put(queued.ended(OutboundState.FAILED, "the chat is gone"));
      return id;
    });
    refused(() -> messages.edit(run.id(), id, "x"), "the chat is gone");
  }

  // Reactions

  @Test
  void an_agent_shows_the_state_of_its_work_on_a_message_but_sets_no_receipt() {
    Run run = started("fix the login");
    long number = fixture.stored("dm-ann", "m1").number();
    AgentMessages messages = messages();
    messages.react(run.id(), number, MessageStatus.ERROR);
    assertThat(fixture.reaction("m1").map(Reaction::status)).contains(MessageStatus.ERROR);

    for (MessageStatus receipt :
        List.of(MessageStatus.STEERED, MessageStatus.QUEUED, MessageStatus.NOT_DELIVERED)) {
      refused(() -> messages.react(run.id(), number, receipt), "it is a receipt");
    }
    refused(() -> messages.react(run.id(), 4711, MessageStatus.DONE), "of this conversation");
  }

  // Files

  private Path workspace(Run run) throws IOException {
    return Files.createDirectories(Path.of(run.spec().workspace()));
  }

  private static FileRequest file(String path) {
    return new FileRequest(path, Optional.empty(), Optional.empty());
  }

  @Test
  void a_file_is_sent_as_it_was_whatever_the_agent_does_to_it_later() throws IOException {
    Run run = started("write a report");
    Path report = workspace(run).resolve("out/report.txt");
    Files.createDirectories(report.getParent());
    Files.writeString(report, "first");
    QueuedMessage made =
        messages()
            .sendFile(
                run.id(),
                new FileRequest(
                    "out/report.txt", Optional.of("The report"), Optional.of("../Report: 1.txt")),
                Optional.empty());
    Files.writeString(report, "second");

    OutboundContent.File queued = (OutboundContent.File) sent(made.messageId()).content();
    assertThat(queued.name()).isEqualTo("Report_ 1.txt");
    assertThat(queued.caption()).contains("The report");
    Path copy = fixture.engine.engine().settings().folder().resolve(queued.path());
    assertThat(copy).hasContent("first");
  }

  /** Seen to fail when the path is read as it is. */
  @Test
  void t156_only_a_regular_file_of_the_workspace_is_sent() throws IOException {
    Run run = started("write a report");
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Path workspace = workspace(run);
    Files.createSymbolicLink(workspace.resolve("link"), secret);
    Files.createSymbolicLink(workspace.resolve("up"), folder);
    Files.createDirectory(workspace.resolve("folder"));
    AgentMessages messages = messages();
    for (String path :
        List.of("link", "up/secret", "../secret", "folder", "nothing", secret.toString(), ".")) {
      refused(() -> messages.sendFile(run.id(), file(path), Optional.empty()), "cannot be sent");
    }
    try (var large =
        Files.newByteChannel(
            workspace.resolve("large"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      large.position(AgentMessages.MAX_FILE_BYTES);
      large.write(ByteBuffer.wrap(new byte[] {1}));
    }
    refused(() -> messages.sendFile(run.id(), file("large"), Optional.empty()), "larger than");
    assertThat(copies()).isEmpty();
  }

  @Test
  void no_copy_is_left_of_a_file_that_is_not_queued_nor_of_a_hub_that_was_killed()
      throws IOException {
    Run run = started("write a report");
    Files.writeString(workspace(run).resolve("a.txt"), "a");
    AgentMessages messages = messages();
    refused(
        () -> messages.sendFile(run.id(), file("a.txt"), Optional.of("nowhere")), "no such chat");
    assertThat(copies()).isEmpty();
    messages.sendFile(run.id(), file("a.txt"), Optional.empty());
    Path outbox = fixture.engine.engine().settings().folder().resolve("outbox");
    Files.createDirectories(outbox.resolve("abcdefgh12345678"));
    Files.writeString(outbox.resolve("abcdefgh12345678/lost.txt"), "lost");

    messages();
    assertThat(copies()).hasSize(1).allMatch(path -> path.endsWith("a.txt"));
  }

  private List<Path> copies() throws IOException {
    Path outbox = fixture.engine.engine().settings().folder().resolve("outbox");
    if (!Files.exists(outbox)) {
      return List.of();
    }
    try (Stream<Path> found = Files.walk(outbox)) {
      return found.filter(Files::isRegularFile).toList();
    }
  }

  // Questions

  private static QuestionRequest deploy(Duration atMost) {
    return new QuestionRequest("Deploy", "Deploy now?", List.of("Yes", "No"), atMost);
  }

  private CompletableFuture<ChatQuestion> asks(AgentMessages messages, Run run, Duration atMost) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return messages.ask(run.id(), deploy(atMost));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  private List<ChatQuestion> questions(Run run) {
    return fixture.engine.ledger.read(r -> r.chats().questions(run.id()));
  }

  private void awaitCards(int count) {
    await().until(() -> fixture.cards("dm-ann").size() == count);
  }

  @Test
  void a_question_is_answered_only_by_the_person_who_was_asked_and_by_those_in_charge()
      throws Exception {
    fixture.person("bob", PersonRole.MEMBER);
    Run run = started("deploy it");
    CompletableFuture<ChatQuestion> asked = asks(messages(), run, Duration.ofMinutes(5));
    awaitCards(1);

    assertThat(fixture.click("bob", "Yes")).isEqualTo("This question is for somebody else.");
    assertThat(fixture.click("stranger", "Yes")).isEqualTo("This question is for somebody else.");
    assertThat(asked).isNotDone();
    assertThat(fixture.click("ann", "No")).isEqualTo("No");
    assertThat(asked.get(1, TimeUnit.MINUTES).answer().map(ChatQuestion.Answer::label))
        .contains("No");
    assertThat(fixture.click("ann", "Yes")).startsWith("Already answered by ann");
  }

  @Test
  void an_admin_may_answer() throws Exception {
    fixture.person("olga", PersonRole.OWNER);
    Run run = started("deploy it");
    CompletableFuture<ChatQuestion> asked = asks(messages(), run, Duration.ofMinutes(5));
    awaitCards(1);
    assertThat(fixture.click("olga", "Yes")).isEqualTo("Yes");
    assertThat(asked.get(1, TimeUnit.MINUTES).answer().map(ChatQuestion.Answer::by))
        .contains("olga");
  }

  @Test
  void nobody_answers_in_time() throws Exception {
    Run run = started("deploy it");
    ChatQuestion question = messages().ask(run.id(), deploy(Duration.ofMillis(200)));
    assertThat(question.answer()).isEmpty();
  }

  @Test
  void a_question_survives_a_restart_of_the_hub_and_has_the_answer_of_the_meantime()
      throws Exception {
    Run run = started("deploy it");
    CompletableFuture<ChatQuestion> lost = asks(messages(), run, Duration.ofMinutes(5));
    awaitCards(1);
    fixture.restartHub();
    assertThat(fixture.click("ann", "Yes")).isEqualTo("Yes");

    ChatQuestion again = messages().ask(run.id(), deploy(Duration.ofMinutes(5)));
    assertThat(again.answer().map(ChatQuestion.Answer::label)).contains("Yes");
    assertThat(questions(run)).hasSize(1);
    lost.cancel(true);
  }

  @Test
  void a_second_call_with_the_same_question_gets_the_answer_too() throws Exception {
    Run run = started("deploy it");
    AgentMessages messages = messages();
    CompletableFuture<ChatQuestion> first = new CompletableFuture<>();
    Thread given =
        Thread.ofVirtual()
            .start(() -> {
              try {
                first.complete(messages.ask(run.id(), deploy(Duration.ofMinutes(5))));
              } catch (InterruptedException e) {
                first.completeExceptionally(e);
              }
            });
    awaitCards(1);
    CompletableFuture<ChatQuestion> second = asks(messages, run, Duration.ofMinutes(5));
    given.interrupt();
    await().until(first::isDone);
    fixture.click("ann", "Yes");
    assertThat(second.get(1, TimeUnit.MINUTES).answer()).isPresent();
    assertThat(questions(run)).hasSize(1);
  }

  @Test
  void a_question_that_does_not_fit_on_a_card_is_refused() {
    Run run = started("deploy it");
    AgentMessages messages = messages();
    List<QuestionRequest> bad =
        List.of(
            new QuestionRequest("t", "q", List.of(), Duration.ofSeconds(1)),
            new QuestionRequest("t", "q", Collections.nCopies(11, "x"), Duration.ofSeconds(1)),
            new QuestionRequest("t", "q", List.of("Yes", "yes "), Duration.ofSeconds(1)),
            new QuestionRequest("t", "q", List.of("x".repeat(61)), Duration.ofSeconds(1)),
            new QuestionRequest("t".repeat(101), "q", List.of("Yes"), Duration.ofSeconds(1)),
            new QuestionRequest("t", " ", List.of("Yes"), Duration.ofSeconds(1)),
            new QuestionRequest("t", "q", List.of("Yes"), Duration.ofHours(2)));
    for (QuestionRequest request : bad) {
      assertThatThrownBy(() -> messages.ask(run.id(), request))
          .as(request.toString())
          .isInstanceOf(RefusedException.class);
    }
    assertThat(fixture.cards("dm-ann")).isEmpty();
  }
}
