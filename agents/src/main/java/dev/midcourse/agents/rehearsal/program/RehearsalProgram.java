package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Version;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SessionId;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The rehearsal agent as a process: JSON lines on its input and output, a real shell in its
 * workspace, and its transcript under HOME. With {@code --forgetful} it treats a repeated id as a
 * new message. With {@code --resume SESSION} it continues a session.
 *
 * <p>It reads {@code prompt}, {@code steer}, {@code interrupt}, {@code withdraw}, {@code answer},
 * {@code barrier} and {@code quit}. It answers an unreadable line with a complaint and continues.
 */
public final class RehearsalProgram {

  /**
   * The variable with the number of milliseconds that the program waits before its first output.
   */
  public static final String SLOW_START = "MIDCOURSE_REHEARSAL_SLOW_START";

  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private final RehearsalWire wire = new RehearsalWire();
  private final Path folder = Path.of("").toAbsolutePath();
  private final Transcript transcript;
  private final Play play;
  private volatile @Nullable ShellTool tool;
  private volatile boolean reading = true;

  private RehearsalProgram(
      Transcript transcript, DuplicatePolicy duplicates, List<RehearsalEvent> notes) {
    this.transcript = transcript;
    this.play = Play.from(notes, duplicates, new World());
  }

  public static void main(String[] arguments) throws Exception {
    String pause = System.getenv(SLOW_START);
    if (pause != null) {
      Thread.sleep(Long.parseLong(pause));
    }
    Path home = Path.of(System.getenv("HOME"));
    boolean forgetful =
        arguments.length > 0 && arguments[0].equals(DuplicatePolicy.FORGETFUL_OPTION);
    DuplicatePolicy duplicates = forgetful ? DuplicatePolicy.FORGETFUL : DuplicatePolicy.MINDFUL;
    int at = forgetful ? 1 : 0;
    RehearsalProgram program;
    if (arguments.length == at + 2 && arguments[at].equals("--resume")) {
      SessionId session = SessionId.of(arguments[at + 1]);
      if (!Transcript.exists(home, session)) {
        System.err.println("no such session: ".concat(session.value()));
        System.exit(2);
      }
      Transcript transcript = Transcript.resume(home, session);
      program = new RehearsalProgram(transcript, duplicates, Transcript.notes(home, session));
    } else {
      program = new RehearsalProgram(Transcript.begin(home), duplicates, List.of());
    }
    program.run();
  }

  private void run() throws IOException {
    Thread.setDefaultUncaughtExceptionHandler(RehearsalProgram::giveUp);
    Runtime.getRuntime().addShutdownHook(new Thread(this::leave, "leave"));
    keep(new RehearsalEvent.Began());
    synchronized (play) {
      play.begin(Version.NUMBER, transcript.session());
    }
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        receive(line);
        while (!reading) {
          LockSupport.park(this);
        }
      }
    }
    // The input is closed, so no command can arrive any more.
    synchronized (play) {
      play.stopPlaying();
      endTool();
    }
  }

  private void receive(String line) {
    synchronized (play) {
      keep(new RehearsalEvent.Received(line));
    }
    try {
      RehearsalCommand word = RehearsalWire.word(line);
      synchronized (play) {
        play.receive(word);
      }
    } catch (IllegalArgumentException | RefusedException wrong) {
      write(RehearsalWire.complaint(String.valueOf(wrong.getMessage())));
    }
  }

  private void keep(RehearsalEvent note) {
    try {
      transcript.add(note);
    } catch (IOException failure) {
      throw new UncheckedIOException("the transcript cannot be written", failure);
    }
  }

  /** Writes each line by one call, so that a kill leaves whole lines. */
  private void write(String line) {
    writeBytes(line.getBytes(StandardCharsets.UTF_8));
  }

  private void writeBytes(byte[] bytes) {
    try {
      out.write(bytes);
    } catch (IOException nobodyListens) {
      Runtime.getRuntime().halt(1);
    }
  }

  /**
   * Handles TERM as a shutdown hook. The virtual machine waits for its hooks, and the other threads
   * continue in the meantime.
   */
  private void leave() {
    while (play.ignoresTerm()) {
      LockSupport.park(this);
    }
    synchronized (play) {
      play.stopPlaying();
      endTool();
    }
  }

  private static void giveUp(Thread thread, Throwable failure) {
    failure.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  private void endTool() {
    ShellTool running = tool;
    if (running != null) {
      running.kill();
    }
  }

  /** The stage of a process. The lock on {@link #play} guards all calls except {@code exit}. */
  private final class World implements Stage {

    @Override
    public void tell(AgentEvent event) {
      write(wire.line(event));
    }

    @Override
    public void note(RehearsalEvent note) {
      keep(note);
    }

    @Override
    public void startTool(String call, String command) {
      ShellTool.Listener listener = new ToolListener(call);
      try {
        tool = ShellTool.start(command, folder, listener);
      } catch (IOException failure) {
        String why = String.valueOf(failure.getMessage());
        new Thread(() -> fail(listener, why), "tool-failure").start();
      }
    }

    private void fail(ShellTool.Listener listener, String why) {
      listener.output(why);
      listener.finished(127);
    }

    @Override
    public void endTool(String call) {
      RehearsalProgram.this.endTool();
    }

    @Override
    public void wakeAfter(Duration pause) {
      Thread sleeper =
          new Thread(
              () -> {
                LockSupport.parkNanos(pause.toNanos());
                synchronized (play) {
                  play.woke();
                }
              },
              "sleeper");
      sleeper.setDaemon(true);
      sleeper.start();
    }

    @Override
    public void misbehave(Misbehaviour how) {
      switch (how) {
        case LEAVE_CHILD -> leaveChild();
        case GARBAGE -> {
          write("this is not JSON\n");
          writeBytes(new byte[] {(byte) 0xC3, (byte) 0x28, (byte) 0xFF, 0, '\n'});
          write("{\"type\":\"no_such_thing\"}\n");
          write("{\"type\":\"steer_accepted\",\"steer_id\":\"../../etc\"}\n");
          write("{\"half\":\n");
        }
        case HANG -> reading = false;
        case IGNORE_TERM,
            EXIT_WITHOUT_ANSWER,
            SLOW_START,
            REFUSE_STEERS,
            ACK_THEN_DIE,
            DIE_AFTER_INJECT,
            DIE_ON_STEER,
            FLOOD -> {}
      }
    }

    private void leaveChild() {
      try {
        new ProcessBuilder("setsid", "-f", "sleep", "1000")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
      } catch (IOException failure) {
        throw new UncheckedIOException("no child could be left", failure);
      } catch (InterruptedException asked) {
        Thread.currentThread().interrupt();
      }
    }

    /** Ends the process. With a status other than 0, the tool keeps running, as after a crash. */
    @Override
    public void exit(int code) {
      if (code == 0) {
        RehearsalProgram.this.endTool();
      }
      Runtime.getRuntime().halt(code);
    }
  }

  /** Passes the output and the exit of a tool to the play. */
  private final class ToolListener implements ShellTool.Listener {
    private final String call;

    ToolListener(String call) {
      this.call = call;
    }

    @Override
    public void output(String line) {
      synchronized (play) {
        play.toolOutput(call, line);
      }
    }

    @Override
    public void finished(int code) {
      synchronized (play) {
        tool = null;
        play.toolFinished(call, code);
      }
    }
  }
}
