package dev.midcourse.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.midcourse.cli.RealHub;
import dev.midcourse.cli.StoredChats;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.watch.model.ApprovalRequest;
import dev.midcourse.cli.watch.model.Effect;
import dev.midcourse.cli.watch.model.Message;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.DecidedApproval;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effects of the full-screen view, with a real hub. */
class EffectRunnerTest {
  private final List<Message> told = new CopyOnWriteArrayList<>();

  @Test
  void approvals_are_listed_and_decided_unless_somebody_else_decided_before(@TempDir Path data)
      throws Exception {
    StoredChats.in(data);
    try (Ledger ledger = SqliteLedger.open(data.resolve("midcourse.db"))) {
      DecidedApproval before =
          new DecidedApproval(ApprovalId.of("p0"), "Lin may talk to andy", "Ada", Instant.now());
      ledger.write(tx -> {
        tx.chats().decide(before);
        return true;
      });
    }
    try (RealHub _ = RealHub.start(data);
        EffectRunner runner = EffectRunner.open(HubClient.at(data), told::add)) {
      runner.submit(new Effect.LoadApprovals());
      assertThat(next(Message.Approvals.class).pending())
          .extracting(ApprovalRequest::id, ApprovalRequest::newChat, ApprovalRequest::account)
          .containsExactlyInAnyOrder(
              tuple("p1", false, Optional.of("telegram:99")),
              tuple("p2", true, Optional.of("telegram:99")));

      runner.submit(new Effect.Decide("p1", "deny", Optional.empty()));
      assertThat(next(Message.Done.class).what()).isEqualTo("denied");
      runner.submit(new Effect.Decide("p0", "deny", Optional.empty()));
      assertThat(next(Message.Trouble.class).what())
          .isEqualTo("Already decided by Ada: Lin may talk to andy");

      runner.submit(new Effect.LoadApprovals());
      assertThat(next(Message.Approvals.class).pending())
          .extracting(ApprovalRequest::id)
          .containsExactly("p2");
      runner.submit(new Effect.Decide("p2", "wire", Optional.of("nobody-here")));
      assertThat(next(Message.Trouble.class).what()).contains("nobody-here");
    }
  }

  /** Waits for a message of this kind and takes it and all before it. */
  private <M extends Message> M next(Class<M> kind) {
    Awaitility.await(kind.getSimpleName())
        .atMost(RealHub.TIMEOUT)
        .until(() -> told.stream().anyMatch(kind::isInstance));
    M found = told.stream().filter(kind::isInstance).map(kind::cast).findFirst().orElseThrow();
    told.clear();
    return found;
  }
}
