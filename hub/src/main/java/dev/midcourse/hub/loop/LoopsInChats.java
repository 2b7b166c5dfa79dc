package dev.midcourse.hub.loop;

import dev.midcourse.core.Problem;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.autopilot.ChatLoopOrder;
import dev.midcourse.core.chat.autopilot.ChatLoopOrders;
import dev.midcourse.core.chat.autopilot.LoopCard;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.text.VisibleText;
import dev.midcourse.engine.conversation.loop.ChatLoops;
import dev.midcourse.hub.loop.LoopRequests.FindingRequest;
import dev.midcourse.hub.loop.LoopRequests.GoRequest;
import dev.midcourse.hub.loop.LoopRequests.GuidanceRequest;
import dev.midcourse.hub.loop.LoopRequests.PersonReview;
import dev.midcourse.hub.loop.LoopViews.LoopView;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The loops of the workers of a chat, for its people. It carries out what {@link ChatLoopOrders}
 * reads, with {@link LoopOperations}, which ask who may do it.
 */
public final class LoopsInChats implements ChatLoops {
  private static final int MAX_LISTED = 10;
  private static final int MAX_TITLE = 120;

  private final LoopOperations operations;
  private final WorkerRegistry workers;

  public LoopsInChats(LoopOperations operations, WorkerRegistry workers) {
    this.operations = operations;
    this.workers = workers;
  }

  @Override
  public OrderAnswer carryOut(
      Caller caller, List<WorkerName> ofChat, String order, String messageKey) {
    List<Loop> loops =
        operations.loops(caller).stream()
            .filter(it -> ofChat.contains(it.spec().worker()))
            .toList();
    UUID key = UUID.nameUUIDFromBytes(messageKey.getBytes(StandardCharsets.UTF_8));
    return switch (ChatLoopOrders.read(order, loops)) {
      case ChatLoopOrder.Start it -> start(caller, ofChat.getFirst(), it, key);
      case ChatLoopOrder.Answer it -> OrderAnswer.of(it.text());
      case ChatLoopOrder.Status _ -> OrderAnswer.of(status(loops));
      case ChatLoopOrder.AboutLoop it -> OrderAnswer.of(about(caller, it, key));
    };
  }

  private OrderAnswer start(Caller caller, WorkerName worker, ChatLoopOrder.Start order, UUID key) {
    Path repository =
        workers
            .plan(worker)
            .flatMap(LoopsInChats::clone)
            .orElseThrow(() ->
                Problem.invalid(
                        "worker",
                        "a worker whose chat_folder or workspace is a git clone",
                        "worker "
                            + worker
                            + " has no git clone to work in: set chat_folder in"
                            + " midcourse.toml")
                    .refused());
    LoopView loop =
        operations.createFor(
            caller, worker, order.task(), repository, order.byPerson(), key.toString());
    return new OrderAnswer(
        "Started loop "
            + loop.loopId()
            + " on branch "
            + loop.branch()
            + ". I tell you here when it asks something, and when it ends.",
        Optional.of(loop.loopId()));
  }

  private static Optional<Path> clone(WorkerConfig worker) {
    return Stream.of(worker.chatFolder(), worker.workspace())
        .flatMap(Optional::stream)
        .filter(folder -> Files.exists(folder.resolve(".git")))
        .findFirst();
  }

  private static String status(List<Loop> loops) {
    List<Loop> live = loops.stream().filter(it -> !it.phase().hasEnded()).toList();
    List<Loop> shown = live.isEmpty() ? loops.stream().limit(1).toList() : live;
    return shown.isEmpty()
        ? "There are no loops here."
        : shown.stream()
            .limit(MAX_LISTED)
            .map(LoopsInChats::line)
            .collect(Collectors.joining("\n"));
  }

  private static String line(Loop loop) {
    String open =
        loop.findings().all().isEmpty()
            ? ""
            : ", "
                + loop.findings().holding().size()
                + " of "
                + loop.findings().all().size()
                + " findings open";
    return loop.id()
        + ": "
        + loop.phase().wire()
        + loop.parking().map(it -> " (" + it.reason().wire() + ")").orElse("")
        + (loop.round() == 0 ? "" : ", round " + loop.round())
        + open;
  }

  private String about(Caller caller, ChatLoopOrder.AboutLoop order, UUID key) {
    String id = order.loop().value();
    return switch (order) {
      case ChatLoopOrder.Show _ -> show(operations.loop(caller, id));
      case ChatLoopOrder.Findings _ -> findings(operations.loop(caller, id));
      case ChatLoopOrder.Steer it -> steer(caller, id, it, key);
      case ChatLoopOrder.Decide it -> decide(caller, id, it);
      case ChatLoopOrder.Go it ->
          state(
              operations.go(
                  caller, id, new GoRequest(Optional.of(it.moreFixes()), Optional.empty())));
      case ChatLoopOrder.Skip _ -> state(operations.skip(caller, id));
      case ChatLoopOrder.Pause _ -> state(operations.pause(caller, id));
      case ChatLoopOrder.Stop _ -> state(operations.stop(caller, id));
      case ChatLoopOrder.Land _ -> state(operations.land(caller, id));
      case ChatLoopOrder.Approve _ -> review(caller, id, Optional.empty());
      case ChatLoopOrder.Reject it -> review(caller, id, Optional.of(it.findings()));
    };
  }

  private String steer(Caller caller, String id, ChatLoopOrder.Steer order, UUID key) {
    LoopView after =
        operations.steer(
            caller,
            id,
            new GuidanceRequest(
                order.text(),
                Optional.of(order.scope()),
                Optional.of(IdempotencyKey.of(key.toString()))));
    return after.steers().isEmpty() ? "Stored." : "Your words: " + after.steers().getLast().state();
  }

  private String decide(Caller caller, String id, ChatLoopOrder.Decide order) {
    LoopView _ =
        operations.decide(
            caller,
            id,
            order.finding().toString(),
            new FindingRequest(order.decision(), Optional.of(order.why())));
    return order.finding()
        + switch (order.decision()) {
          case DROP -> " is dropped.";
          case UPHOLD -> " stands.";
          case NIT -> " is a nit.";
        };
  }

  private String review(Caller caller, String id, Optional<String> findings) {
    String head =
        operations
            .loop(caller, id)
            .head()
            .orElseThrow(() ->
                Problem.invalid("loop_id", "a loop with a commit", "there is no commit to review")
                    .refused());
    return state(operations.review(caller, id, new PersonReview(head, findings)));
  }

  private static String state(LoopView loop) {
    return loop.loopId()
        + ": "
        + loop.phase().wire()
        + (loop.result().isBlank() ? "" : ", " + VisibleText.prose(loop.result()));
  }

  private static String show(Loop loop) {
    String question =
        loop.parking().map(it -> "\nIt asks: " + VisibleText.prose(it.question())).orElse("");
    String result = loop.result().isBlank() ? "" : "\n" + VisibleText.prose(loop.result());
    return line(loop)
        + question
        + result
        + "\nBranch "
        + loop.spec().branch()
        + ", reviewed by "
        + loop.spec().reviewer().name()
        + "\nA steer now: "
        + loop.destination(GuidanceScope.NOW);
  }

  private static String findings(Loop loop) {
    List<Finding> all = loop.findings().all();
    return all.isEmpty()
        ? "There are no findings."
        : all.reversed().stream()
            .limit(MAX_LISTED)
            .map(LoopsInChats::line)
            .collect(Collectors.joining("\n"));
  }

  private static String line(Finding finding) {
    String title = VisibleText.prose(finding.title());
    String cut = title.length() > MAX_TITLE ? title.substring(0, MAX_TITLE) + "…" : title;
    String why = finding.reason().isBlank() ? "" : " (" + VisibleText.prose(finding.reason()) + ")";
    return finding.id()
        + " "
        + finding.severity().wire()
        + " "
        + finding.state().wire()
        + ": "
        + (finding.place().isEmpty() ? "" : finding.place() + " ")
        + cut
        + why;
  }

  // ---- cards

  @Override
  public String click(Caller caller, ButtonMeaning.DirectLoop button) {
    String id = button.loop().value();
    Loop loop = operations.loop(caller, id);
    boolean current =
        LoopCard.of(loop)
            .filter(asks -> asks.about().equals(button.about()))
            .filter(asks -> asks.choices().contains(button.choice()))
            .isPresent();
    if (!current) {
      return "Already decided: " + operations.decisionAfter(loop, asked(button));
    }
    LoopView after =
        switch (button.choice()) {
          case GO ->
              operations.go(caller, id, new GoRequest(Optional.of(more(loop)), Optional.empty()));
          case SKIP -> operations.skip(caller, id);
          case STOP -> operations.stop(caller, id);
          case APPROVE ->
              operations.review(caller, id, new PersonReview(button.about(), Optional.empty()));
        };
    return state(after);
  }

  /** A loop whose fixes are used up goes on with one more. */
  private static int more(Loop loop) {
    boolean spent =
        loop.count(CallKind.FIX) >= loop.budget().fixes()
            && loop.parking().filter(it -> it.resume() == LoopPhase.FIX).isPresent();
    return spent ? 1 : 0;
  }

  /** The time of a question that has one; a review is told by its commit. */
  private static Optional<Instant> asked(ButtonMeaning.DirectLoop button) {
    return switch (button.choice()) {
      case APPROVE -> Optional.empty();
      case GO, SKIP, STOP ->
          button.about().contains(":")
              ? Optional.of(Instant.parse(button.about()))
              : Optional.empty();
    };
  }
}
