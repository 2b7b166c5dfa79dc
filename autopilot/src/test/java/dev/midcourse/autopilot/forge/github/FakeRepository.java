package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A bare git repository, as a forge has it. */
final class FakeRepository {
  private final Path folder;

  /** Makes the repository with one commit on its branch {@code main}. */
  FakeRepository(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    git("init", "--quiet", "--bare", "--initial-branch=main", folder.toString());
    git("config", "http.receivepack", "true");
    commit("main", "README", "start\n");
  }

  Path folder() {
    return folder;
  }

  /** The newest commit of a branch. */
  Optional<String> head(String branch) throws IOException, InterruptedException {
    String found = git("for-each-ref", "--format=%(objectname)", "refs/heads/" + branch);
    return found.isEmpty() ? Optional.empty() : Optional.of(found);
  }

  /** Commits a file on top of a branch; a new branch begins at main. */
  String commit(String branch, String file, String text) throws IOException, InterruptedException {
    Optional<String> parent = head(branch);
    if (parent.isEmpty() && !branch.equals("main")) {
      parent = head("main");
    }
    String blob = run(text, List.of("hash-object", "-w", "--stdin"));
    StringBuilder tree = new StringBuilder();
    if (parent.isPresent()) {
      git("ls-tree", parent.get())
          .lines()
          .filter(line -> !line.endsWith("\t" + file))
          .forEach(line -> tree.append(line).append('\n'));
    }
    tree.append("100644 blob ").append(blob).append('\t').append(file).append('\n');
    String made = run(tree.toString(), List.of("mktree"));
    return commitTree(branch, made, parent.stream().toList(), "Change " + file);
  }

  /** Merges a commit into a branch; empty if they conflict. */
  Optional<String> merge(String branch, String commit) throws IOException, InterruptedException {
    String head = head(branch).orElseThrow();
    try {
      String tree = git("merge-tree", "--write-tree", head, commit).lines().findFirst().orElse("");
      return Optional.of(commitTree(branch, tree, List.of(head, commit), "Merge"));
    } catch (IOException conflict) {
      return Optional.empty();
    }
  }

  /** Whether two branches cannot be merged. */
  boolean conflicts(String branch, String other) throws InterruptedException {
    try {
      git("merge-tree", "--write-tree", branch, other);
      return false;
    } catch (IOException conflict) {
      return true;
    }
  }

  /** Whether a branch has everything of a commit. */
  boolean has(String branch, String commit) throws IOException, InterruptedException {
    String head = head(branch).orElseThrow();
    return git("merge-base", head, commit).equals(commit);
  }

  List<String> parents(String commit) throws IOException, InterruptedException {
    String line = git("rev-list", "--parents", "-n", "1", commit);
    return List.of(line.split(" ", -1)).stream().skip(1).toList();
  }

  private String commitTree(String branch, String tree, List<String> parents, String message)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("commit-tree", tree, "-m", message));
    for (String parent : parents) {
      words.addAll(List.of("-p", parent));
    }
    String commit = run("", words);
    git("update-ref", "refs/heads/" + branch, commit);
    return commit;
  }

  private String git(String... words) throws IOException, InterruptedException {
    return run("", List.of(words));
  }

  private String run(String input, List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    if (!words.getFirst().equals("init")) {
      command.addAll(List.of("--git-dir", folder.toString()));
    }
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(false);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder
        .environment()
        .putAll(
            Map.of(
                "GIT_CONFIG_NOSYSTEM", "1",
                "GIT_CONFIG_GLOBAL", "/dev/null",
                "GIT_AUTHOR_NAME", "Ann",
                "GIT_AUTHOR_EMAIL", "ann@localhost",
                "GIT_COMMITTER_NAME", "Ann",
                "GIT_COMMITTER_EMAIL", "ann@localhost"));
    Process process = builder.start();
    try (var stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException("git " + words + " ended with " + status);
    }
    return output.strip();
  }
}
