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
 * The shell script that is the parent process of a program. The script opens the program's input,
 * records its own process before the program starts, and records the program's exit status in a
 * file.
 *
 * <p>Where the system allows it, the wrapper is a <em>child subreaper</em>: every process that the
 * program leaves behind becomes a child of the wrapper, whatever its parents, session or
 * environment were. The wrapper exits after the last of these processes. If the wrapper exited by
 * itself, the whole tree is therefore gone.
 */
public final class WrapperScript {

  /**
   * The exit status of a wrapper that did not start the program, because the folder is fenced or
   * incomplete.
   */
  static final int NOT_STARTED = 125;

  /**
   * Becomes a child subreaper and resets ignored signals to their default. PR_SET_CHILD_SUBREAPER
   * survives exec, but no shell command sets it, so Perl makes the call. Ignored signals also
   * survive exec, and a shell cannot reset them. Without the reset, a program of a hub that was
   * started with nohup would ignore HUP.
   */
  private static final String BECOME_SUBREAPER =
      "$SIG{$_} = q(DEFAULT) for qw(HUP INT QUIT TERM);"
          + " syscall(shift, 36, 1, 0, 0, 0); syscall(shift);"
          + " exec { $ARGV[0] } @ARGV; die \"$ARGV[0]: $!\\n\"";

  private static final String WAIT_FOR_CHILDREN =
      "$SIG{$_} = q(IGNORE) for qw(HUP INT QUIT TERM); 1 while wait() > 0;"
          + " open my $gone, q(>), shift";

  /** Matches a path that needs no quotes in a shell. */
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

  /** Returns the wrapper with the features of this system. */
  public static WrapperScript ofThisSystem() {
    Optional<Calls> calls =
        switch (System.getProperty("os.name", "") + " " + System.getProperty("os.arch", "")) {
          case "Linux amd64" -> Optional.of(new Calls(157, 112));
          case "Linux aarch64", "Linux riscv64" -> Optional.of(new Calls(167, 157));
          default -> Optional.empty();
        };
    return new WrapperScript(program("setsid"), program("perl"), calls);
  }

  /** Returns a wrapper that adopts no processes, as on a system without Perl. */
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

  /**
   * Returns the environment of the wrapper. The program gets the same environment without the
   * variables that the script unsets.
   */
  public static Map<String, String> environmentFor(Launch launch) {
    Map<String, String> environment = launch.markedEnvironment();
    environment.putIfAbsent("PERL_BADLANG", "0");
    return environment;
  }

  /**
   * Returns the text of the script.
   *
   * <p>The trap lets the wrapper continue to wait when it gets HUP, INT, QUIT or TERM. In the
   * subshell, and so in the program, these signals have their default effect again. The subshell
   * opens the FIFO before it writes {@code pid}, so a writer that sees {@code pid} can write
   * without loss. Messages of the shell itself ("Killed") stay out of the program's error output.
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
            reaps ? WrapperRecord.ADOPTS : WrapperRecord.ADOPTS_NOTHING,
            NOT_STARTED,
            environment.containsKey("PERL_BADLANG") ? "" : "PERL_BADLANG",
            setsid.map(Path::toString).orElse(""),
            fifo ? "<>\"$mc_dir/in\"" : "",
            reaps ? adopting() : "");
  }

  /**
   * Returns the command that waits for the adopted processes. The shell waits only for its own
   * child, so Perl replaces the shell.
   */
  private String adopting() {
    return "exec %s -e '%s' \"$mc_dir/gone\"".formatted(perl.orElseThrow(), WAIT_FOR_CHILDREN);
  }

  /**
   * Finds a program. Programs in {@code /usr/bin} and {@code /bin} come before programs in {@code
   * PATH}, which may be shims.
   */
  private static Optional<Path> program(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(("/usr/bin:/bin:" + path).split(":", -1))
        .filter(folder -> PLAIN.matcher(folder).matches())
        .map(folder -> Path.of(folder).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
