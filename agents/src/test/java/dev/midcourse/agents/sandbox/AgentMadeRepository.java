package dev.midcourse.agents.sandbox;

import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.mail.FileTrees;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A repository that an agent has made in a workspace without one, so that the sandbox of the next
 * agent shows more.
 *
 * @param script the commands in the workspace; {@code $SECRETS} is a hidden folder, {@code $OTHER}
 *     a folder outside with a bare repository {@code git}
 */
record AgentMadeRepository(String name, String script) {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @Override
  public String toString() {
    return name;
  }

  static Stream<AgentMadeRepository> attacks() {
    String commit = "git -c user.name=W -c user.email=w@example.org commit -q -m one";
    String submodule =
        "git init -q lib; git -C lib -c user.name=W -c user.email=w@x commit -q --allow-empty -m l;"
            + " git add lib; "
            + commit
            + "; mv lib/.git lib/away; ";
    return Stream.of(
        new AgentMadeRepository(
            "objects of another folder", "echo $SECRETS > .git/objects/info/alternates"),
        new AgentMadeRepository(
            "objects that are a link", "rm -r .git/objects; ln -s $SECRETS .git/objects"),
        new AgentMadeRepository(
            "a submodule that is a link", submodule + "ln -s $SECRETS lib/.git"),
        new AgentMadeRepository(
            "a submodule that is a link to a folder around the hidden one",
            submodule + "ln -s $(dirname $SECRETS) lib/.git"),
        new AgentMadeRepository(
            "a private git folder that is a link",
            "mkdir .git/midcourse; ln -s $OTHER .git/midcourse/main"),
        new AgentMadeRepository(
            "a folder of Midcourse that is a link", "ln -s $OTHER .git/midcourse"),
        new AgentMadeRepository(
            "a worktree of a repository in the workspace",
            "rm -r .git; git init -q fake; cd fake; git -c user.name=W -c user.email=w@x commit -q"
                + " --allow-empty -m f; git worktree add -q ../tree; cd ..; mv tree/.git .git;"
                + " echo $PWD/.git > fake/.git/worktrees/tree/gitdir;"
                + " echo $SECRETS > fake/.git/objects/info/alternates"),
        new AgentMadeRepository(
            "a false record of what was taken over",
            "mkdir -p .git/midcourse/main/git/objects; echo x > .git/midcourse/main/imported"));
  }

  /**
   * Makes the hidden folder of a test class. Each test class has its own, because test classes run
   * at the same time.
   */
  static Path secrets(String owner) throws Exception {
    Path folder = folder(owner, "secrets");
    Files.writeString(folder.resolve("token"), "sesame");
    return folder;
  }

  /** Makes the folder of a test class that has a bare repository named {@code git}. */
  static Path other(String owner) throws Exception {
    Path folder = folder(owner, "other");
    HostileRepository.shell(folder, "git init -q --bare git");
    return folder;
  }

  private static Path folder(String owner, String name) throws Exception {
    Path folder = Path.of("target", "agent-made", owner, name).toAbsolutePath();
    FileTrees.delete(folder);
    return Files.createDirectories(folder);
  }

  String script(Path secrets, Path other) {
    return "SECRETS=%s; OTHER=%s; exec 3>&1 >/dev/null 2>&1; git init -q -b main; %s; echo made >&3"
        .formatted(secrets, other, script);
  }

  /** What the next agent does: it reads the hidden folder, and changes the other repository. */
  static String look(Path secrets, Path other) {
    return "cat %1$s/token .git/objects/token .git/shared-objects/token lib/.git/token; touch"
            .formatted(secrets)
        + " .git/objects/new; [ -e %s/git/objects/new ] && echo changed; echo looked"
            .formatted(other);
  }

  /** Returns what the next agent has said, or why it was not started. */
  static String outcome(RecordingListener listener) {
    await("a turn or the reason why there is none")
        .atMost(TIMEOUT)
        .until(() ->
            listener.events().stream()
                .anyMatch(event -> event instanceof TurnEnded || event instanceof Exited));
    return listener.events().stream()
        .map(event ->
            switch (event) {
              case TurnEnded turn -> turn.text();
              case Exited exited -> exited.lastOutput();
              default -> "";
            })
        .reduce("", String::concat);
  }
}
