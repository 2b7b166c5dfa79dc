package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.hub.boot.HubMain;
import java.util.ArrayList;
import java.util.List;

/** Runs the hub in the foreground. */
final class ServeCommand implements Command {
  private static final OptionSpec PORT =
      OptionSpec.value("--port", "PORT", "the port; 0 takes any that is free, 8787 is usual");
  private static final OptionSpec HOST =
      OptionSpec.value(
          "--host", "ADDRESS", "the address; beyond this machine only with TLS or --insecure");
  private static final OptionSpec TLS_CERT =
      OptionSpec.value("--tls-cert", "FILE", "the certificate and those that vouch for it, in PEM");
  private static final OptionSpec TLS_KEY =
      OptionSpec.value("--tls-key", "FILE", "its private key, in PEM and PKCS #8");
  private static final OptionSpec INSECURE =
      OptionSpec.flag("--insecure", "let everybody who can reach the address see what is sent");
  private static final OptionSpec UNTIL_IDLE =
      OptionSpec.value("--until-idle", "TIME", "end when nothing runs for so long: 30s, 10m");
  private static final OptionSpec FOREGROUND =
      OptionSpec.flag("--foreground", "write the log to the terminal as well");

  private static final OptionSpec CONFIG =
      OptionSpec.value(
          "--config", "FILE", "the settings; usually midcourse.toml in the data folder");

  private static final List<OptionSpec> OPTIONS =
      List.of(PORT, HOST, TLS_CERT, TLS_KEY, INSECURE, UNTIL_IDLE, FOREGROUND, CONFIG);

  static final CommandSpec SPEC =
      new CommandSpec(
          "serve",
          CommandSpec.Group.HUB,
          "[--port PORT] [--until-idle TIME] [--foreground] [OPTIONS]",
          "run the hub and keep it up",
          """
          Midcourse run starts a hub by itself when none is running. Agents outlive the hub: the next \
          one finds them again.
          """,
          List.of(),
          OPTIONS,
          List.of(
              new Example("midcourse serve --port 0", "on any free port"),
              new Example(
                  "midcourse serve --host 0.0.0.0 --tls-cert hub.pem --tls-key hub.key",
                  "for other machines too, with TLS")));

  @Override
  public CommandSpec spec() {
    return SPEC;
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
