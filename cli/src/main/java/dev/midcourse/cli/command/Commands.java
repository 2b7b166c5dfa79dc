package dev.midcourse.cli.command;

import dev.midcourse.cli.chat.TerminalChatCommand;
import dev.midcourse.cli.command.chat.ApprovalsCommand;
import dev.midcourse.cli.command.chat.ChannelCommand;
import dev.midcourse.cli.command.chat.ChatsCommand;
import dev.midcourse.cli.command.chat.OutboxCommand;
import dev.midcourse.cli.command.chat.PeopleCommand;
import dev.midcourse.cli.command.chat.WhyCommand;
import dev.midcourse.cli.command.chat.WireCommand;
import dev.midcourse.cli.command.chat.WiringsCommand;
import dev.midcourse.cli.command.loop.AutopilotCommand;
import dev.midcourse.cli.command.run.AttachCommand;
import dev.midcourse.cli.command.run.ContractCommand;
import dev.midcourse.cli.command.run.DismissCommand;
import dev.midcourse.cli.command.run.DispatchCommand;
import dev.midcourse.cli.command.run.LogsCommand;
import dev.midcourse.cli.command.run.NextCommand;
import dev.midcourse.cli.command.run.PruneCommand;
import dev.midcourse.cli.command.run.PsCommand;
import dev.midcourse.cli.command.run.RepairCommand;
import dev.midcourse.cli.command.run.RestartCommand;
import dev.midcourse.cli.command.run.ReviewCommand;
import dev.midcourse.cli.command.run.RunCommand;
import dev.midcourse.cli.command.run.ShowCommand;
import dev.midcourse.cli.command.run.StopCommand;
import dev.midcourse.cli.command.schedule.ScheduleCommand;
import dev.midcourse.cli.command.steer.AnswerCommand;
import dev.midcourse.cli.command.steer.ChangeCommand;
import dev.midcourse.cli.command.steer.ReceiptCommand;
import dev.midcourse.cli.command.steer.SteerCommand;
import dev.midcourse.cli.command.steer.SteersCommand;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.ShellCompletion;
import dev.midcourse.core.Suggestion;
import java.util.List;
import java.util.Optional;

/** All commands by name. Only the requested command class is loaded. */
public final class Commands {
  private static final List<String> NAMES =
      List.of(
          "run",
          "ps",
          "show",
          "logs",
          "attach",
          "chat",
          "watch",
          "next",
          "answer",
          "dismiss",
          "stop",
          "restart",
          "review",
          "repair",
          "dispatch",
          "contract",
          "schedule",
          "autopilot",
          "steer",
          "steers",
          "receipt",
          "withdraw",
          "edit",
          "promote",
          "channel",
          "people",
          "chats",
          "wire",
          "wirings",
          "approvals",
          "why",
          "outbox",
          "serve",
          "status",
          "sessions",
          "token",
          "shutdown",
          "agents",
          "workers",
          "groups",
          "prune",
          "doctor",
          "mcp",
          "completion",
          "help");

  private Commands() {}

  public static Optional<Command> find(String name) {
    return switch (name) {
      case "run" -> Optional.of(new RunCommand());
      case "ps" -> Optional.of(new PsCommand());
      case "show" -> Optional.of(new ShowCommand());
      case "logs" -> Optional.of(new LogsCommand());
      case "attach" -> Optional.of(new AttachCommand());
      case "chat" -> Optional.of(new TerminalChatCommand());
      case "watch" -> Optional.of(new WatchCommand());
      case "next" -> Optional.of(new NextCommand());
      case "answer" -> Optional.of(new AnswerCommand());
      case "dismiss" -> Optional.of(new DismissCommand());
      case "stop" -> Optional.of(new StopCommand());
      case "restart" -> Optional.of(new RestartCommand());
      case "review" -> Optional.of(new ReviewCommand());
      case "repair" -> Optional.of(new RepairCommand());
      case "dispatch" -> Optional.of(new DispatchCommand());
      case "contract" -> Optional.of(new ContractCommand());
      case "schedule" -> Optional.of(new ScheduleCommand());
      case "autopilot" -> Optional.of(new AutopilotCommand());
      case "groups" -> Optional.of(new GroupsCommand());
      case "mcp" -> Optional.of(new McpCommand());
      case "steer" -> Optional.of(new SteerCommand());
      case "steers" -> Optional.of(new SteersCommand());
      case "receipt" -> Optional.of(new ReceiptCommand());
      case "withdraw" -> Optional.of(new ChangeCommand(ChangeCommand.WITHDRAW));
      case "edit" -> Optional.of(new ChangeCommand(ChangeCommand.EDIT));
      case "promote" -> Optional.of(new ChangeCommand(ChangeCommand.PROMOTE));
      case "channel" -> Optional.of(new ChannelCommand());
      case "people" -> Optional.of(new PeopleCommand());
      case "chats" -> Optional.of(new ChatsCommand());
      case "wire" -> Optional.of(new WireCommand());
      case "wirings" -> Optional.of(new WiringsCommand());
      case "approvals" -> Optional.of(new ApprovalsCommand());
      case "why" -> Optional.of(new WhyCommand());
      case "outbox" -> Optional.of(new OutboxCommand());
      case "serve" -> Optional.of(new ServeCommand());
      case "status" -> Optional.of(new StatusCommand());
      case "sessions" -> Optional.of(new SessionsCommand());
      case "token" -> Optional.of(new TokenCommand());
      case "shutdown" -> Optional.of(new ShutdownCommand());
      case "agents" -> Optional.of(new AgentsCommand());
      case "workers" -> Optional.of(new WorkersCommand());
      case "prune" -> Optional.of(new PruneCommand());
      case "doctor" -> Optional.of(new DoctorCommand());
      case "completion" -> Optional.of(new CompletionCommand());
      case ShellCompletion.COMMAND -> Optional.of(new CompleteCommand());
      case "help" -> Optional.of(new HelpCommand());
      default -> Optional.empty();
    };
  }

  /** Returns the specs of all commands in the order of the overview. */
  public static List<CommandSpec> specs() {
    return NAMES.stream().map(name -> find(name).orElseThrow().spec()).toList();
  }

  public static Failure unknown(String name) {
    String hint =
        Suggestion.to(name, NAMES)
            .map(near -> "did you mean: midcourse " + near)
            .orElse("list all commands: midcourse help");
    return Failure.usage("unknown command '" + name + "'", hint);
  }
}
