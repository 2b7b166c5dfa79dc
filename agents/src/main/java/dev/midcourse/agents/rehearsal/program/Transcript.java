package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.json.JsonValue;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The notes of a session in a file, one line each. Each line is written by one call. After a kill,
 * only the last note can be incomplete, and an incomplete last line is dropped.
 */
public final class Transcript implements AutoCloseable {
  private static final String FOLDER = ".midcourse-rehearsal";

  private final SessionId session;
  private final FileOutputStream file;

  private Transcript(SessionId session, FileOutputStream file) {
    this.session = session;
    this.file = file;
  }

  /** Begins a session under a name that no other session in this home has. */
  static Transcript begin(Path home) throws IOException {
    Files.createDirectories(home.resolve(FOLDER));
    String stem =
        Long.toString(System.currentTimeMillis(), 36)
            .concat("-")
            .concat(Long.toString(ProcessHandle.current().pid(), 36));
    for (int i = 0; ; i++) {
      SessionId session = SessionId.of(stem.concat("-").concat(Integer.toString(i)));
      try {
        Files.createFile(file(home, session));
        return open(home, session);
      } catch (FileAlreadyExistsException taken) {
        // The name is taken. Try the next number.
      }
    }
  }

  /** Continues a session. Its file must exist. */
  static Transcript resume(Path home, SessionId session) throws IOException {
    byte[] bytes = Files.readAllBytes(file(home, session));
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    Transcript transcript = open(home, session);
    if (end < bytes.length) {
      transcript.file.getChannel().truncate(end);
    }
    return transcript;
  }

  private static Transcript open(Path home, SessionId session) throws IOException {
    return new Transcript(session, new FileOutputStream(file(home, session).toFile(), true));
  }

  /** Returns the notes of a session, or an empty list if the session does not exist. */
  public static List<RehearsalEvent> notes(Path home, SessionId session) throws IOException {
    List<RehearsalEvent> notes = new ArrayList<>();
    try {
      String text = Files.readString(file(home, session));
      int from = 0;
      for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        notes.add(parse(text.substring(from, end)));
        from = end + 1;
      }
    } catch (NoSuchFileException none) {
      return List.of();
    }
    return notes;
  }

  public static boolean exists(Path home, SessionId session) {
    return Files.exists(file(home, session));
  }

  SessionId session() {
    return session;
  }

  void add(RehearsalEvent note) throws IOException {
    file.write(line(note).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Returns the folder of a home's sessions. */
  public static Path folder(Path home) {
    return home.resolve(FOLDER);
  }

  private static Path file(Path home, SessionId session) {
    return folder(home).resolve(session.value().replace(':', '_').concat(".jsonl"));
  }

  private static String line(RehearsalEvent note) {
    return RehearsalWire.line(
        switch (note) {
          case RehearsalEvent.Began() -> note("began");
          case RehearsalEvent.Received(String received) -> note("received").with("line", received);
          case RehearsalEvent.LetGo(SteerId steer) ->
              note("let_go").with("steer_id", steer.value());
          case RehearsalEvent.Opened n ->
              note("opened").with("turn", n.turn()).with("message", n.message());
          case RehearsalEvent.Took n ->
              note("took").with("steer_id", n.steer().value()).with("message", n.message());
          case RehearsalEvent.Called n -> note("called").with("command", n.command());
          case RehearsalEvent.StepDone n -> note("step_done").with("ok", n.ok());
          case RehearsalEvent.Ended n ->
              note("ended")
                  .with("turn", n.turn())
                  .with("how", n.how().name())
                  .with("answer", n.answer());
        });
  }

  private static JsonValue.Obj note(String name) {
    return JsonValue.object().with("note", name);
  }

  private static RehearsalEvent parse(String line) {
    JsonValue.Obj note = RehearsalWire.read(line);
    return switch (text(note, "note")) {
      case "began" -> new RehearsalEvent.Began();
      case "received" -> new RehearsalEvent.Received(text(note, "line"));
      case "let_go" -> new RehearsalEvent.LetGo(SteerId.of(text(note, "steer_id")));
      case "opened" -> new RehearsalEvent.Opened(number(note, "turn"), text(note, "message"));
      case "took" ->
          new RehearsalEvent.Took(SteerId.of(text(note, "steer_id")), text(note, "message"));
      case "called" -> new RehearsalEvent.Called(text(note, "command"));
      case "step_done" -> new RehearsalEvent.StepDone(note.is("ok"));
      case "ended" ->
          new RehearsalEvent.Ended(
              number(note, "turn"), TurnEnd.valueOf(text(note, "how")), text(note, "answer"));
      default -> throw new IllegalArgumentException("not a note: ".concat(line));
    };
  }

  private static String text(JsonValue.Obj note, String name) {
    return note.string(name).orElse("null");
  }

  private static int number(JsonValue.Obj note, String name) {
    return Math.toIntExact(note.number(name).orElse(0L));
  }
}
