package dev.midcourse.engine.conversation.tools;

import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.agents.mail.WorkspaceFile;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.FileName;
import dev.midcourse.core.chat.outbound.OutboundContent.File;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundContent.Text;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.prompt.AnswerFormat;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.conversation.AnswerAddress;
import dev.midcourse.engine.conversation.ChatQuestions;
import dev.midcourse.engine.outbox.OutboxSignal;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.chat.ChatReader.RunAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Carries out what the agent of a conversation asks for in its chats. Everything goes through the
 * outbox with the id of the run, and is durable when a method returns. The caller has proved that
 * the agent of this run asks.
 */
public final class AgentMessages {
  /** The size of the largest file that is sent. */
  public static final int MAX_FILE_BYTES = 50 * 1024 * 1024;

  /** How many messages of a run may wait. An agent in a loop must not fill the outbox. */
  public static final int MAX_WAITING = 100;

  private static final EnumSet<OutboundState> EDITABLE =
      EnumSet.of(
          OutboundState.QUEUED, OutboundState.SENDING, OutboundState.SENT, OutboundState.UNKNOWN);

  private final EngineContext engine;
  private final OutboxSignal outbox;
  private final ChatQuestions questions;
  private final OutboxFiles files;

  /** Also removes the copies of files that no message needs any more. */
  public AgentMessages(EngineContext engine, OutboxSignal outbox, ChatQuestions questions) {
    this.engine = engine;
    this.outbox = outbox;
    this.questions = questions;
    this.files = new OutboxFiles(engine.settings().folder());
    files.removeOrphans(engine.ledger());
  }

  /** Whether the run belongs to a conversation. */
  public boolean isInChat(RunId run) {
    return engine.ledger().read(r -> r.chats().addressOf(run)).isPresent();
  }

  /**
   * Sends a message in Markdown.
   *
   * @param to a chat of the run's worker; without it the chat and thread that the turn answers
   */
  public QueuedMessage send(RunId run, String text, Optional<String> to) {
    MessageText.check("text", text);
    return change(
        run,
        scope -> {
          ChatAddress address = scope.address(to);
          OutboundId id =
              scope
                  .outbox()
                  .text(address, text, Optional.empty(), Optional.of(run))
                  .orElseThrow(AgentMessages::nothingVisible);
          return scope.queued(id, address);
        });
  }

  /**
   * Sends a regular file of the run's workspace, as it is now. A link is not followed, neither the
   * file nor a folder on the way.
   *
   * @param to a chat of the run's worker; without it the chat and thread that the turn answers
   */
  public QueuedMessage sendFile(RunId run, FileRequest request, Optional<String> to) {
    request.caption().ifPresent(caption -> MessageText.check("caption", caption));
    Path workspace = engine.ledger().read(r -> Path.of(Scope.live(r, run).spec().workspace()));
    FileName name = FileName.safe(request.name().orElse(request.path()));
    byte[] content = read(workspace, request.path());
    OutboundId id = OutboxWriter.newId(engine.ids());
    String stored = store(id, name, content);
    try {
      return change(
          run,
          scope -> {
            ChatAddress address = scope.address(to);
            File file = new File(stored, name.value(), request.caption());
            return scope.queued(scope.outbox().file(id, address, file, Optional.of(run)), address);
          });
    } catch (RefusedException refused) {
      files.remove(id);
      throw refused;
    }
  }

  private static byte[] read(Path workspace, String path) {
    try {
      return WorkspaceFile.of(workspace, path).read(MAX_FILE_BYTES);
    } catch (MailboxDirectory.Unfit unfit) {
      throw Problem.invalid(
              "path",
              "a regular file in the workspace of the run, at most 50 MiB",
              "this file cannot be sent: " + unfit.getMessage())
          .refused();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String store(OutboundId id, FileName name, byte[] content) {
    try {
      return files.store(id, name, content);
    } catch (IOException e) {
      files.remove(id);
      throw Problem.of(
              Code.UNAVAILABLE,
              "path",
              "a data folder with room for the copy",
              "the file cannot be copied for sending: " + e.getMessage())
          .refused();
    }
  }

  /** Replaces the text of a message that the conversation of the run has sent. */
  public QueuedMessage edit(RunId run, OutboundId message, String text) {
    MessageText.check("text", text);
    if (AnswerFormat.stripInternalTags(text).isEmpty()) {
      throw nothingVisible();
    }
    return change(
        run,
        scope -> {
          OutboundMessage original =
              scope
                  .chats()
                  .outbound(message)
                  .filter(scope::isOurs)
                  .orElseThrow(
                      () -> notFound("message_id", "a message that this conversation sent"));
          boolean answer = original.content() instanceof Text && original.slot().isEmpty();
          if (!answer) {
            throw Problem.invalid("message_id", "a text message", "only text can be edited")
                .refused();
          }
          if (!EDITABLE.contains(original.state())) {
            throw Problem.of(
                    Code.TOO_LATE,
                    "message_id",
                    "a message that was sent or waits",
                    "this message was not sent"
                        + original.problem().map(problem -> ": " + problem).orElse(""))
                .refused();
          }
          scope.outbox().edit(message, text);
          return scope.queued(message, original.to());
        });
  }

  /**
   * Shows the state of the agent's work as the reaction on a message of a person.
   *
   * @param number the number of the message, as the prompt names it
   */
  public void react(RunId run, long number, MessageStatus status) {
    if (!MessageStatus.OF_AGENT.contains(status)) {
      throw Problem.invalid(
              "status",
              "running, done or error",
              "an agent does not set the status " + status.wire() + "; it is a receipt")
          .refused();
    }
    var _ =
        change(
            run,
            scope -> {
              MessageRef ref =
                  scope
                      .chats()
                      .message(number)
                      .filter(scope::isInConversation)
                      .map(stored -> stored.message().ref())
                      .orElseThrow(() -> notFound("message_id", "a message of this conversation"));
              return scope
                  .outbox()
                  .reaction(
                      new ChatAddress(ref.channel(), ref.chat(), Optional.empty()),
                      ref.message(),
                      status,
                      Optional.empty(),
                      Optional.of(run));
            });
  }

  /**
   * Asks in the chat of the run and waits for the answer, as long as the request says. The thread
   * waits without a lock.
   *
   * @return the question; without an answer if nobody answered in time
   */
  public ChatQuestion ask(RunId run, QuestionRequest request) throws InterruptedException {
    request.check();
    var _ = engine.ledger().read(r -> Scope.live(r, run));
    return questions.ask(
        run, request.title(), request.question(), request.options(), request.atMost());
  }

  /** A change in one transaction. */
  private interface Change<T> {
    T with(Scope scope);
  }

  private <T> T change(RunId run, Change<T> change) {
    record Done<T>(T result, OutboxWriter writer) {}
    return engine
        .ledger()
        .write(
            Priority.NORMAL,
            tx -> {
              OutboxWriter writer =
                  new OutboxWriter(tx.chats(), engine.ids(), engine.clock().instant());
              Scope scope = Scope.of(tx, run, writer);
              return new Done<>(change.with(scope), writer);
            },
            done -> {
              done.writer().channels().forEach(outbox::wake);
              return done.result();
            });
  }

  /** The run that asks, with its address, in one transaction. */
  private record Scope(LedgerReader tx, Run run, RunAddress home, OutboxWriter outbox) {

    static Scope of(Transaction tx, RunId id, OutboxWriter outbox) {
      Run run = live(tx, id);
      RunAddress home =
          tx.chats().addressOf(id).orElseThrow(() -> notFound("run_id", "a run of a conversation"));
      int waiting =
          tx.chats().outbox(EnumSet.of(OutboundState.QUEUED), Optional.of(id), MAX_WAITING).size();
      if (waiting >= MAX_WAITING) {
        throw Problem.of(
                Code.LIMIT,
                "run_id",
                "at most " + MAX_WAITING + " messages that wait",
                "too many messages of this run wait in the outbox; wait until some are sent")
            .refused();
      }
      return new Scope(tx, run, home, outbox);
    }

    static Run live(LedgerReader reading, RunId id) {
      Run run = reading.run(id).orElseThrow(() -> notFound("run_id", "a known run"));
      if (run.state() != RunState.RUNNING) {
        throw Problem.of(Code.RUN_ENDED, "run_id", "a running run", "run " + id + " does not run")
            .refused();
      }
      return run;
    }

    ChatReader chats() {
      return tx.chats();
    }

    private Destinations destinations() {
      return new Destinations(chats(), run.spec().worker());
    }

    ChatAddress address(Optional<String> to) {
      List<TurnRecord> turns = tx.turns(run.id());
      Optional<TurnRecord> turn = turns.isEmpty() ? Optional.empty() : Optional.of(turns.getLast());
      ChatAddress current = AnswerAddress.of(chats(), home, turn).to();
      return to.map(named -> destinations().find(named, current)).orElse(current);
    }

    QueuedMessage queued(OutboundId id, ChatAddress to) {
      return new QueuedMessage(id, destinations().title(to));
    }

    /** Whether a run of the same conversation has put the message into the outbox. */
    boolean isOurs(OutboundMessage message) {
      return message
          .run()
          .flatMap(chats()::addressOf)
          .map(RunAddress::conversation)
          .equals(Optional.of(home.conversation()));
    }

    /** Whether people wrote the message where this conversation takes place. */
    boolean isInConversation(RoutedMessage stored) {
      Optional<Conversation> conversation = chats().conversation(home.conversation());
      MessageRef ref = stored.message().ref();
      return conversation.isPresent()
          && chats()
              .chat(ref.channel(), ref.chat())
              .filter(chat ->
                  conversation
                      .get()
                      .key()
                      .chat()
                      .map(chat.id()::equals)
                      .orElseGet(() -> destinations().has(chat)))
              .isPresent()
          && conversation
              .get()
              .key()
              .thread()
              .map(thread -> stored.message().thread().equals(Optional.of(thread)))
              .orElse(true);
    }
  }

  private static RefusedException nothingVisible() {
    return Problem.invalid(
            "text", "text outside of <internal>", "the text has nothing that people would see")
        .refused();
  }

  private static RefusedException notFound(String field, String rule) {
    return Problem.of(Code.NOT_FOUND, field, rule, "it is not " + rule).refused();
  }
}
