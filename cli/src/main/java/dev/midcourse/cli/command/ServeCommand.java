package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Option;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.hub.HubMain;
import java.util.ArrayList;
import java.util.List;

/** Runs the hub in the foreground. */
final class ServeCommand implements Command {
  private static final Option PORT =
      Option.value("--port", "PORT", "the port; 0 takes any that is free, 8787 is usual");
  private static final Option HOST =
      Option.value(
          "--host", "ADDRESS", "the address; beyond this machine only with TLS or --insecure");
  private static final Option TLS_CERT =
      Option.value("--tls-cert", "FILE", "the certificate and those that vouch for it, in PEM");
  private static final Option TLS_KEY =
      Option.value("--tls-key", "FILE", "its private key, in PEM and PKCS #8");
  private static final Option INSECURE =
      Option.flag("--insecure", "let everybody who can reach the address see what is sent");
  private static final Option UNTIL_IDLE =
      Option.value("--until-idle", "TIME", "end when nothing runs for so long: 30s, 10m");
  private static final Option FOREGROUND =
      Option.flag("--foreground", "write the log to the terminal as well");

  private static final Option CONFIG =
      Option.value("--config", "FILE", "the settings; usually midcourse.toml in the data folder");

  private static final List<Option> OPTIONS =
      List.of(PORT, HOST, TLS_CERT, TLS_KEY, INSECURE, UNTIL_IDLE, FOREGROUND, CONFIG);

  static final Spec SPEC =
      new Spec(
          "serve",
          Spec.Group.HUB,
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
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    List<String> words = new ArrayList<>();
    for (Option option : OPTIONS) {
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
