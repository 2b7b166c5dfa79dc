package dev.midcourse.hub.mailbox;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.agents.mail.PreallocatedFiles;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.authority.Groups;
import dev.midcourse.core.authority.Role;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.watch.Notice;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.follow.Notices;
import dev.midcourse.hub.api.operation.HubOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The mailboxes of all groups that the settings declare. Main has no mailbox, because a file does
 * not prove that a person wrote it.
 */
public final class Mailboxes implements Notices.Listener, AutoCloseable {
  /** The folder of preallocated files. The dot keeps the name apart from groups and workers. */
  private static final String BLANKS = "blank.files";

  private final Map<GroupName, Mailbox> boxes = new LinkedHashMap<>();
  private final Path root;
  private final PreallocatedFiles blanks;
  private final ReceiptNotifier receipts;

  public Mailboxes(
      Path root,
      Groups groups,
      Engine engine,
      HubOperations operations,
      DirectoryWatcher watch,
      InstantSource clock) {
    this.root = root;
    this.blanks = new PreallocatedFiles(new MailboxDirectory(root, List.of(BLANKS)));
    for (Group group : groups.byName().values()) {
      if (group.role() != Role.MAIN) {
        MailboxDirectory folder = new MailboxDirectory(root, List.of(group.name().value()));
        boxes.put(
            group.name(),
            new Mailbox(group, folder, blanks, operations, this::deliver, watch, clock));
      }
    }
    this.receipts = new ReceiptNotifier(engine, this::box);
  }

  /**
   * Makes the directories of the mailboxes and begins to read them. Without groups it does nothing.
   */
  public void open() {
    if (!boxes.isEmpty() || Files.exists(root, NOFOLLOW_LINKS)) {
      MailboxRoot.prepare(root);
    }
    if (boxes.isEmpty()) {
      return;
    }
    try {
      blanks.open();
      for (Mailbox box : boxes.values()) {
        box.open();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a mailbox cannot be made", e);
    }
    receipts.start();
  }

  Optional<Mailbox> box(GroupName group) {
    return Optional.ofNullable(boxes.get(group));
  }

  /**
   * Delivers a message to another group. Returns the problem if that group has no mailbox or its
   * inbox is full.
   */
  private Optional<Problem> deliver(GroupName from, GroupName to, String text) {
    Optional<Mailbox> box = box(to);
    if (box.isEmpty()) {
      return Optional.of(
          Problem.of(
              Code.NOT_FOUND, "to", "a group with a mailbox", "there is no mailbox of " + to));
    }
    if (box.get().full()) {
      return Optional.of(
          Problem.of(
              Code.LIMIT, "to", "a group that reads", to + " does not read what lies there"));
    }
    return box.get().post(InboxMessages.message(from, text))
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                Code.UNAVAILABLE,
                "to",
                "a mailbox that can be written",
                "the message could not be written for " + to));
  }

  @Override
  public void onNotice(Notice notice) {
    box(notice.to())
        .ifPresent(box -> {
          boolean _ = box.post(InboxMessages.notice(notice));
        });
  }

  @Override
  public void close() {
    receipts.close();
    boxes.values().forEach(Mailbox::close);
    blanks.close();
  }
}
