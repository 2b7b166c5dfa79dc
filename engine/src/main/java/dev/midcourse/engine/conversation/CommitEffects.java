package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What has to happen after a transaction is durable: wake-ups and timers. All of it is in the
 * ledger too, so a hub that dies before it has lost nothing.
 */
final class CommitEffects {
  final List<Steer> steers = new ArrayList<>();
  final List<RunId> stops = new ArrayList<>();
  final Set<ChannelName> channels = new LinkedHashSet<>();
  final Map<ConversationId, Instant> debounces = new LinkedHashMap<>();
  final List<PendingApproval> approvals = new ArrayList<>();
  final List<NewFiles> files = new ArrayList<>();
  boolean queued;

  /** An account was linked, which may answer requests about its sender. */
  boolean linked;

  /** The files of a message that has reached a run. */
  record NewFiles(RunId run, Path workspace, InboundMessage message) {}

  /** Remembers the files of these messages, which the run has got. */
  void addFiles(Run run, List<RoutedMessage> messages) {
    for (RoutedMessage stored : messages) {
      if (!stored.message().attachments().isEmpty()) {
        files.add(new NewFiles(run.id(), Path.of(run.spec().workspace()), stored.message()));
      }
    }
  }
}
