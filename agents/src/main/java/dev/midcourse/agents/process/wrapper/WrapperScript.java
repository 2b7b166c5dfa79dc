package dev.midcourse.agents.process.wrapper;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.WrapperRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The small shell that stays a program's parent: it gives the program its input, says who it is
 * before the program starts, and leaves the exit status for whoever asks later.
 *
 * <p>Where the system allows, it is a <em>child subreaper</em>: whatever the program leaves behind,
 * however it left its parents, session or environment, becomes a child of the wrapper, which stays
 * until the last of them is gone. So a tree whose wrapper left by itself is gone as a whole.
 */
public final class WrapperScript {

  /** What the wrapper leaves as status when it was told not to start anything. */
  static final int NOT_STARTED = 125;

  /**
   * PR_SET_CHILD_SUBREAPER survives exec, but there is no command for it: Perl makes the call. So
   * do ignored signals, which a shell cannot undo: a program must not be deaf because its hub was
   * started with nohup.
   */
  private static final String BECOME_SUBREAPER =
      "$SIG{$_} = q(DEFAULT) for qw(HUP INT QUIT TERM);"
          + " syscall(shift, 36, 1, 0, 0, 0); syscall(shift);"
          + " exec { $ARGV[0] } @ARGV; die \"$ARGV[0]: $!\\n\"";

  private static final String WAIT_FOR_THE_LAST =
      "$SIG{$_} = q(IGNORE) for qw(HUP INT QUIT TERM); 1 while wait() > 0;"
          + " open my $gone, q(>), shift";

  /** A path that needs no quoting in a shell. */
  private static final Pattern PLAIN = Pattern.compile("/[A-Za-z0-9/_.+-]*");

  private final Optional<Path> setsid;
  private final Optional<Path> perl;
  private final Optional<Calls> calls;

  private WrapperScript(Optional<Path> setsid, Optional<Path> perl, Optional<Calls> calls) {
    this.setsid = setsid;
    this.perl = perl;
    this.calls = calls;
  }

  /** The numbers of two system calls. */
  private record Calls(int prctl, int setsid) {
    List<String> asWords() {
      return List.of(Integer.toString(prctl), Integer.toString(setsid));
    }
  }

  /** What this system has. */
  public static WrapperScript ofThisSystem() {
    Optional<Calls> calls =
        switch (System.getProperty("os.name", "") + " " + System.getProperty("os.arch", "")) {
          case "Linux amd64" -> Optional.of(new Calls(157, 112));
          case "Linux aarch64", "Linux riscv64" -> Optional.of(new Calls(167, 157));
          default -> Optional.empty();
        };
    return new WrapperScript(program("setsid"), program("perl"), calls);
  }

  /** A wrapper that adopts nothing, as on a system without Perl. */
  public WrapperScript withoutSubreaper() {
    return new WrapperScript(setsid, perl, Optional.empty());
  }

  public List<String> commandFor(Launch launch, AttemptFolder folder, boolean fifo) {
    boolean reaps =
        perl.isPresent() && calls.isPresent() && !launch.environment().containsKey("PERL5OPT");
    List<String> command = new ArrayList<>();
    if (reaps) {
      command.addAll(List.of(perl.orElseThrow().toString(), "-e", BECOME_SUBREAPER));
      command.addAll(calls.orElseThrow().asWords());
    } else {
      setsid.ifPresent(program -> command.add(program.toString()));
    }
    command.addAll(List.of("/bin/sh", "-c", script(launch.environment(), fifo, reaps)));
    command.add("midcourse-wrapper");
    command.add(folder.path().toString());
    command.addAll(launch.command());
    return command;
  }

  /** The environment of the wrapper, and but for what the script takes out, of the program. */
  public static Map<String, String> environmentFor(Launch launch) {
    Map<String, String> environment = launch.markedEnvironment();
    environment.putIfAbsent("PERL_BADLANG", "0");
    return environment;
  }

  /**
   * The trap keeps the wrapper waiting through polite signals; in the subshell, and so in the
   * program, signals have their default meaning again. The subshell opens the FIFO before it writes
   * {@code pid}, so that whoever sees {@code pid} can write without anything getting lost. The
   * shell's own remarks ("Killed") stay out of the program's error output.
   */
  private String script(Map<String, String> environment, boolean fifo, boolean reaps) {
    return """
    mc_dir=$1; shift
    trap : HUP INT QUIT TERM
    exec 3>&2 2>/dev/null
    (
      exec 3>&-
      mc_boot=- mc_stat=
      { read -r mc_boot </proc/sys/kernel/random/boot_id; read -r mc_stat </proc/$$/stat; } 2>/dev/null
      %s
      [ ! -e "$mc_dir/fenced" ] || exit %d
      printf '%%s %%s %s %%s\\n' "$$" "$mc_boot" "${mc_stat##*) }" >"$mc_dir/pid" || exit %d
      unset PWD OLDPWD SHLVL _ %s
      exec %s "$@"
    ) 2>&3 %s
    printf '%%s\\n' "$?" >"$mc_dir/exit"
    exec </dev/null
    %s
    """
        .formatted(
            fifo ? "[ -p \"$mc_dir/in\" ] || exit " + NOT_STARTED : "",
            NOT_STARTED,
            reaps ? WrapperRecord.ADOPTS : WrapperRecord.ADOPTS_NOT,
            NOT_STARTED,
            environment.containsKey("PERL_BADLANG") ? "" : "PERL_BADLANG",
            setsid.map(Path::toString).orElse(""),
            fifo ? "<>\"$mc_dir/in\"" : "",
            reaps ? adopting() : "");
  }

  /** The shell waits only for its own child; Perl, in its place, waits for the adopted ones too. */
  private String adopting() {
    return "exec %s -e '%s' \"$mc_dir/gone\"".formatted(perl.orElseThrow(), WAIT_FOR_THE_LAST);
  }

  /** The system's own program before one in somebody's PATH, which may be a shim. */
  private static Optional<Path> program(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(("/usr/bin:/bin:" + path).split(":", -1))
        .filter(folder -> PLAIN.matcher(folder).matches())
        .map(folder -> Path.of(folder).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
