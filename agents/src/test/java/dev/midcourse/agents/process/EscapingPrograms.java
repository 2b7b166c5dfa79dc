package dev.midcourse.agents.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Perl programs that do what they can to outlive a stop: they fork, leave their session, drop their
 * environment, take another name, ignore TERM, hold the output open, start others when they are
 * told to end. Each of their processes says its number.
 */
public enum EscapingPrograms {
  /** A child in its own session, without an environment, and without its parents. */
  RUNS_AWAY(
      """
      if (my $p = fork) { waitpid $p, 0 } else { POSIX::setsid(); exit if fork; chdir "/"; told();
        exec { "/usr/bin/env" } "env", "-i", "sleep", 60 }
      """),
  IGNORES_TERM("$SIG{TERM} = $SIG{HUP} = $SIG{INT} = 'IGNORE';\n"),
  /** A child that ignores everything but KILL and holds the output. */
  HOLDS_THE_OUTPUT(
      """
      unless (fork) { $SIG{$_} = 'IGNORE' for qw(TERM HUP INT PIPE); told();
        while (1) { sleep 1 } }
      """),
  TAKES_ANOTHER_NAME(
      """
      unless (fork) { told(); exec { "/bin/sleep" } "[kworker/0:1]", 60 }
      """),
  /** A new process in a session of its own, started at the moment of the stop. */
  LEAVES_AN_HEIR(
      """
      $SIG{TERM} = sub { unless (fork) { POSIX::setsid(); $SIG{TERM} = 'IGNORE'; told(); sleep 60 }
        exit 0 };
      """),
  KEEPS_FORKING(
      """
      unless (fork) { told(); $SIG{CHLD} = 'IGNORE';
        for (1 .. 400) { unless (fork) { told(); sleep 60 } select(undef, undef, undef, 0.1) }
        sleep 60 }
      """);

  private static final String HEAD =
      "use POSIX (); $| = 1; sub told { syswrite(STDOUT, qq(pid $$\\n)) }\n";
  private static final String END = "told(); while (1) { sleep 1 }\n";

  private final String deed;

  EscapingPrograms(String deed) {
    this.deed = deed;
  }

  /** A program that is up to some of it. */
  public static String some(Random random) {
    List<String> deeds = new ArrayList<>();
    for (EscapingPrograms one : values()) {
      if (random.nextInt(3) == 0) {
        deeds.add(one.deed);
      }
    }
    return HEAD + String.join("", deeds) + END;
  }
}
