package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.LoopInfo;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.watch.model.ApprovalRequest;
import dev.midcourse.cli.watch.model.Effect;
import dev.midcourse.cli.watch.model.Key;
import dev.midcourse.cli.watch.model.Message;
import dev.midcourse.cli.watch.model.Model;
import dev.midcourse.cli.watch.model.Next;
import dev.midcourse.cli.watch.model.Update;
import dev.midcourse.cli.watch.view.Canvas;
import dev.midcourse.cli.watch.view.Screen;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A view without a terminal or a hub: sends messages, presses keys, keeps the effects. */
public final class WatchFixture {
  public static final Instant NOW = Instant.parse("2026-11-15T10:02:00Z");
  public static final String STEER = "8e2f6a0c-5b1d-4c57-9a44-1f0b7f7f2c11";

  private final Update update = new Update(Glyphs.UNICODE);
  private final List<Effect> requests = new ArrayList<>();
  private Model model = Model.EMPTY;
  private long cursor = 100;

  /** Returns a view with three typical runs; the first is chosen. */
  public static WatchFixture morning() {
    WatchFixture view = new WatchFixture();
    view.tell(
        new Message.Runs(
            List.of(
                run(
                    "parser",
                    "running",
                    """
                    "agent":"claude","prompt":"Refactor the parser; keep every test green",
                    "turn":2,"steers":1,"attempt":1,"spent":{"cost_usd":0.42},
                    "progress":{"tool":"sh","summary":"mvn -q test","at":"2026-11-15T10:01:48Z"},
                    "created_at":"2026-11-15T10:00:00Z"
                    """),
                run(
                    "日本語-docs",
                    "running",
                    """
                    "agent":"codex","prompt":"ドキュメントを翻訳する","turn":1,"needs":"asks permission",
                    "progress":{"summary":"reads README 📖","at":"2026-11-15T10:01:00Z"},
                    "created_at":"2026-11-15T09:59:00Z"
                    """),
                run(
                    "old-one",
                    "failed",
                    """
                    "agent":"rehearsal","prompt":"try","turn":1,"needs":"failed",
                    "result":"the disk is full","created_at":"2026-11-15T08:00:00Z",
                    "ended_at":"2026-11-15T08:02:00Z"
                    """)),
            0));
    view.happens("turn_started", "parser", "10:00:01", "\"turn\":1");
    view.happens(
        "tool_started",
        "parser",
        "10:00:02",
        "\"call\":\"c1\",\"tool\":\"sh\",\"summary\":\"ls -l\"");
    view.happens(
        "tool_finished", "parser", "10:00:03", "\"call\":\"c1\",\"ok\":true,\"summary\":\"ok\"");
    view.happens(
        "said",
        "parser",
        "10:00:20",
        "\"text\":\"I split the parser into three classes. The grammar stays where it is, and"
            + " nothing of the public interface changes. ✅ Next are the tests.\"");
    view.happens(
        "tool_started",
        "parser",
        "10:01:48",
        "\"call\":\"c2\",\"tool\":\"sh\",\"summary\":\"mvn -q test\"");
    return view;
  }

  /** Adds a steer that is in delivery. */
  public WatchFixture steered() {
    happens(
        "steer_stored",
        "parser",
        "10:01:50",
        "\"steer_id\":\"" + STEER + "\",\"mode\":\"steer\",\"text\":\"use tabs, not spaces\"");
    raise("offered");
    raise("accepted");
    tell(
        new Message.Inbox(
            "parser",
            List.of(
                new ReceiptInfo(
                    json(
                        """
                        {"steer_id":"%s","run_id":"parser","mode":"steer","rung":"accepted",
                         "text":"use tabs, not spaces","rungs":[
                         {"rung":"stored","at":"2026-11-15T10:01:50Z"},
                         {"rung":"offered","at":"2026-11-15T10:01:50Z"},
                         {"rung":"accepted","at":"2026-11-15T10:01:51Z"}]}
                        """
                            .formatted(STEER))))));
    return this;
  }

  /** Opens the approvals: an unknown sender, and a new chat with two workers to choose from. */
  public WatchFixture approvals() {
    press("A");
    tell(
        new Message.Approvals(
            List.of(
                approval("p4", "unknown_sender", "Grace", "Family", "hello there", "\"andy\""),
                approval("p5", "unknown_chat", "Lin 林", "Lin 林", "hi bot", "\"andy\",\"bo\""))));
    return this;
  }

  /** Opens the loops: one that asks, one at work, and one that has ended. */
  public WatchFixture loops() {
    press("l");
    loopsAgain();
    return this;
  }

  public void loopsAgain() {
    tell(new Message.Loops(List.of(ASKING, WORKING, ENDED)));
  }

  private static final LoopInfo ASKING =
      new LoopInfo(
          json(
              """
              {"loop_id":"fix-login","phase":"parked","prompt":"Fix the login","agent":"claude",
               "parked":{"reason":"budget","since":"2026-11-15T10:01:00Z",
                 "question":"all 1 fixes are used up and 2 findings are open; go on with more, or stop"},
               "reviewer":"codex","check":{"round":2,"review":"2 findings, by codex","ci":"green"},
               "fixes":1,"max_fixes":1,"reviews":2,"max_reviews":8,"open":2,
               "steers_go":"held for fix 2","destinations":{"now":"held for fix 2","next":"held for fix 2",
                 "standing":"held for every call from the next on"},
               "findings":[
                 {"id":"F1","state":"open","severity":"major","place":"src/Login.java:12",
                  "title":"The password is logged","body":"It is in the debug log.","reason":""},
                 {"id":"F2","state":"disputed","severity":"minor","place":"src/日本.java:3",
                  "title":"The name is unclear","body":"","reason":"it is the name of the API"}],
               "steers":[{"text":"use tabs","state":"held for fix 2"}],
               "change":{"number":7,"url":"https://forge.test/7"},
               "calls":[{"run_id":"fix-login-3-fix"}],"created_at":"2026-11-15T09:00:00Z"}
              """));
  private static final LoopInfo WORKING =
      new LoopInfo(
          json(
              """
              {"loop_id":"write-docs","phase":"implement","prompt":"Write the docs","agent":"codex",
               "reviewer":"me","fixes":0,"max_fixes":5,"reviews":0,"max_reviews":8,"open":0,
               "steers_go":"to the running implement","destinations":{"now":"to the running implement"},
               "findings":[],"steers":[],"calls":[],"created_at":"2026-11-15T09:58:00Z"}
              """));
  private static final LoopInfo ENDED =
      new LoopInfo(
          json(
              """
              {"loop_id":"old-loop","phase":"done","prompt":"Tidy up","agent":"rehearsal",
               "reviewer":"rehearsal","result":"0123456789: reviewed by rehearsal, CI green",
               "fixes":0,"max_fixes":5,"reviews":1,"max_reviews":8,"open":0,"findings":[],"steers":[],
               "calls":[],"created_at":"2026-11-15T08:00:00Z","ended_at":"2026-11-15T08:30:00Z"}
              """));

  /** Returns a request whose sender is telegram:43. */
  public static ApprovalRequest approval(
      String id, String kind, String name, String chat, String text, String workers) {
    return ApprovalRequest.of(
        json(
            """
            {"approval_id":"%s","kind":"%s","sender_name":"%s","sender":"telegram:43","chat":"%s",
             "text":"%s","workers":[%s],"can_create":false}
            """
                .formatted(id, kind, name, chat, text, workers)));
  }

  public void raise(String rung) {
    happens(
        "steer_raised",
        "parser",
        "10:01:51",
        "\"steer_id\":\"" + STEER + "\",\"rung\":\"" + rung + "\"");
  }

  public void happens(String kind, String run, String time, String fields) {
    cursor++;
    tell(new Message.Happened(event(cursor, kind, run, time, fields)));
  }

  public static JsonValue.Obj event(
      long cursor, String kind, String run, String time, String fields) {
    return json(
        "{\"cursor\":%d,\"at\":\"2026-11-15T%sZ\",\"run_id\":\"%s\",\"kind\":\"%s\",%s}"
            .formatted(cursor, time, run, kind, fields));
  }

  public void tell(Message message) {
    Next step = update.on(model, message);
    model = step.model();
    requests.addAll(step.effects());
  }

  public WatchFixture press(String messages) {
    messages
        .codePoints()
        .forEach(c -> tell(new Message.Pressed(new Key.Typed(Character.toString(c)))));
    return this;
  }

  public WatchFixture press(Key.Named key) {
    tell(new Message.Pressed(key));
    return this;
  }

  public Model board() {
    return model;
  }

  /** Returns the effects since the last call. */
  public List<Effect> effects() {
    List<Effect> all = List.copyOf(requests);
    requests.clear();
    return all;
  }

  public Canvas drawn(int rows, int columns) {
    return new Screen(Glyphs.UNICODE).draw(model, rows, columns, NOW);
  }

  public String screen(int rows, int columns) {
    return String.join("\n", drawn(rows, columns).lines()) + "\n";
  }

  public static RunInfo run(String id, String state, String fields) {
    return new RunInfo(
        json("{\"run_id\":\"%s\",\"state\":\"%s\",%s}".formatted(id, state, fields)));
  }

  public static JsonValue.Obj json(String text) {
    try {
      return JsonReader.readObject(text);
    } catch (JsonException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
