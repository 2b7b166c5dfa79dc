package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.RunPages;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.cli.spec.ShellCompletion;
import java.util.List;

/**
 * Prints the candidates for a word that is being completed. The completion scripts call it; help
 * does not list it. It starts no hub and prints no error: a person has pressed Tab and nothing
 * else.
 */
final class CompleteCommand extends Command {
  private static final long MAX_RUNS = 5_000;

  CompleteCommand() {
    super(
        new CommandSpec(
            ShellCompletion.COMMAND,
            CommandSpec.Group.MORE,
            "print the candidates for a word",
            "",
            List.of(new Operand("KIND", Operand.Count.ONE, Operand.Kind.TEXT)),
            List.of(),
            List.of()));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = HubClient.at(shell.data());
    try {
      switch (arguments.operands().getFirst()) {
        case ShellCompletion.LIVE_RUNS -> runs(hub, "&state=queued,running", shell);
        case ShellCompletion.RUNS -> runs(hub, "", shell);
        case ShellCompletion.AGENTS ->
            hub.get("/agents").objects("agents").stream()
                .filter(agent -> agent.is("found"))
                .forEach(agent -> print(agent.text("name").orElse(""), shell));
        case ShellCompletion.WORKERS ->
            hub.get("/workers").objects("workers").stream()
                .map(worker -> worker.text("name").orElse(""))
                .filter(name -> name.indexOf('*') < 0)
                .forEach(name -> print(name, shell));
        case ShellCompletion.CHATS ->
            hub.get("/chats").objects("chats").stream()
                .forEach(chat -> print(chat.text("chat_id").orElse(""), shell));
        case ShellCompletion.PEOPLE ->
            hub.get("/people").objects("people").stream()
                .forEach(person -> print(person.text("person_id").orElse(""), shell));
        default -> {}
      }
    } catch (Failure noCandidates) {
      return ExitCode.DONE;
    }
    return ExitCode.DONE;
  }

  private static void runs(HubClient hub, String filter, ShellContext shell) {
    RunPages.each(hub, filter, MAX_RUNS, runs -> runs.forEach(run -> print(run.id(), shell)));
  }

  private static void print(String word, ShellContext shell) {
    shell.page().line(TextSanitizer.line(word));
  }
}
