package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.hub.HubMain;
import java.util.ArrayList;
import java.util.List;

/** Runs the hub in the foreground. */
final class ServeCommand extends Command {
  private static final OptionSpec PORT =
      OptionSpec.value("--port", "PORT", "port; 0 picks a free one (default 8787)");
  private static final OptionSpec HOST =
      OptionSpec.value(
          "--host",
          "ADDRESS",
          "address to listen on; other than loopback requires TLS or --insecure");
  private static final OptionSpec TLS_CERT =
      OptionSpec.value("--tls-cert", "FILE", "certificate chain (PEM)");
  private static final OptionSpec TLS_KEY =
      OptionSpec.value("--tls-key", "FILE", "private key (PEM, PKCS #8)");
  private static final OptionSpec INSECURE =
      OptionSpec.flag(
          "--insecure", "allow plain HTTP beyond loopback; the network can read all traffic");
  private static final OptionSpec UNTIL_IDLE =
      OptionSpec.value("--until-idle", "TIME", "stop after this time without live runs (30s, 10m)");
  private static final OptionSpec FOREGROUND =
      OptionSpec.flag("--foreground", "also write the log to the terminal");

  private static final OptionSpec CONFIG =
      OptionSpec.value(
          "--config", "FILE", "settings file (default: midcourse.toml in the data directory)");

  private static final List<OptionSpec> OPTIONS =
      List.of(PORT, HOST, TLS_CERT, TLS_KEY, INSECURE, UNTIL_IDLE, FOREGROUND, CONFIG);

  ServeCommand() {
    super(
        new CommandSpec(
            "serve",
            CommandSpec.Group.HUB,
            "run the hub until it is stopped",
            """
            The command midcourse run starts a hub if none is running. Agents keep running when the hub \
            stops; the next hub reattaches to them.
            """,
            List.of(),
            OPTIONS,
            List.of(
                new Example("midcourse serve --port 0", "listen on a free port"),
                new Example(
                    "midcourse serve --host 0.0.0.0 --tls-cert hub.pem --tls-key hub.key",
                    "listen for other machines, with TLS"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    List<String> words = new ArrayList<>();
    for (OptionSpec option : OPTIONS) {
      if (arguments.has(option)) {
        words.add(option.name());
        arguments.value(option).filter(value -> !value.isEmpty()).ifPresent(words::add);
      }
    }
    int code = HubMain.run(shell.out(), shell.err(), words.toArray(String[]::new));
    return switch (code) {
      case 0 -> ExitCode.DONE;
      case 2 -> ExitCode.USAGE;
      default -> ExitCode.NO_HUB;
    };
  }
}
