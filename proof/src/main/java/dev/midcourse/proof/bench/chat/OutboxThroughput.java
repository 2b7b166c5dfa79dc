package dev.midcourse.proof.bench.chat;

import dev.midcourse.channels.outbox.OutboxSender;
import dev.midcourse.channels.outbox.OutboxSettings;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.id.Ids;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import dev.midcourse.proof.bench.fixture.Folders;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.chat.ScriptedChannel;
import dev.midcourse.proof.chat.ScriptedPlatform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Measures how fast a backlog of the outbox is sent to a platform that answers at once. */
final class OutboxThroughput {
  private static final String CHANNEL = "scripted";
  private static final int CHATS = 1_000;
  private static final int MESSAGES = 10_000;
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(5);

  private OutboxThroughput() {}

  static void measure(Report report) throws Exception {
    sendAll(); // warm-up
    try (Pace pace = new Pace()) {
      Pace.Kept<Double> kept = pace.figure(OutboxThroughput::sendAll);
      report.figure("10,000 queued messages in 1,000 chats, all sent after", kept.found(), "ms");
      report.figure("messages sent in a second", MESSAGES / kept.found() * 1_000, "");
      report.rounds("10,000 queued messages, all sent after", kept);
    }
  }

  /** Returns the time from the start of the sender until every message is stored as sent, in ms. */
  private static double sendAll() throws IOException, InterruptedException {
    Path folder = Folders.make();
    ScriptedPlatform platform = new ScriptedPlatform();
    try (Ledger ledger = SqliteLedger.open(folder.resolve("midcourse.db"))) {
      fill(ledger);
      try (OutboxSender sender =
          new OutboxSender(
              ledger,
              List.of(
                  new ScriptedChannel(
                      CHANNEL, platform, ScriptedChannel.everything(), InstantSource.system())),
              InstantSource.system(),
              OutboxSettings.in(folder),
              (_, message) -> {
                throw new IllegalStateException("not sent: " + message);
              })) {
        long began = System.nanoTime();
        sender.start();
        while (platform.requests().size() < MESSAGES
            || !ledger.read(reading -> reading.chats().openChannels()).isEmpty()) {
          Thread.sleep(CHECK_INTERVAL);
        }
        return (System.nanoTime() - began) / 1e6;
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private static void fill(Ledger ledger) {
    Ids ids = new Ids(new SplittableRandom(7));
    ledger.write(tx -> {
      OutboxWriter outbox = new OutboxWriter(tx.chats(), ids, Instant.now());
      for (int i = 0; i < MESSAGES; i++) {
        outbox.text(
            new ChatAddress(ChannelName.of(CHANNEL), "chat-" + i % CHATS, Optional.empty()),
            "The tests pass. What was wrong: the test waited for a clock, number " + i,
            Optional.empty(),
            Optional.empty());
      }
      return true;
    });
  }
}
