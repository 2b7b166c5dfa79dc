package dev.midcourse.agents.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A clone with a worktree, a submodule, a repository of the user at the place of a submodule, and
 * another branch; the commands with which an agent in the worktree has git outside run a program or
 * change what is not its own; and the checks that none of them had an effect.
 */
final class HostileRepository {
  private static final String WHO = "git -c user.name=W -c user.email=w@example.org ";

  private final Path folder;
  private final Path clone;
  private final Path escaped;
  private final Map<String, String> before;

  private HostileRepository(Path folder) throws Exception {
    this.folder = folder;
    this.clone = folder.resolve("clone");
    this.escaped = folder.resolve("escaped");
    this.before = trusted();
  }

  /** Makes {@code clone} in the folder, with {@code workspace} as its worktree. */
  static HostileRepository in(Path folder, Path workspace) throws Exception {
    shell(
        folder,
        """
        git init -q -b main library && cd library && %1$s commit -q --allow-empty -m library && cd ..
        git init -q -b main clone && cd clone && echo one > file && git add file
        git -c protocol.file.allow=always submodule --quiet add ../library sub
        git clone -q ../library lib && git add lib
        %1$s commit -q -m first && git branch others && git update-ref refs/midcourse/r HEAD
        git worktree add -q -b work %2$s && git worktree add -q ../others others
        git clone -q ../library %2$s/lib
        """
            .formatted(WHO, workspace));
    return new HostileRepository(folder);
  }

  /** What a worker does all day. Each line that git refuses is missing in the output. */
  static String work() {
    return """
    echo work > work && git add work && %1$s commit -q -m work && echo committed
    git checkout -q -b side && echo side > side && git add side && %1$s commit -q -m side
    git checkout -q work && %1$s cherry-pick side >/dev/null && echo picked
    git branch -q -D side && echo branch deleted
    echo later >> file && %1$s stash -q && git stash pop -q && echo stashed
    %1$s commit -q -a --amend --no-edit && %1$s rebase -q --force-rebase main && echo rebased
    git pack-refs --all && git gc -q --prune=now && echo collected
    """
        .formatted(WHO);
  }

  static final String WORKED = "committed\npicked\nbranch deleted\nstashed\nrebased\ncollected";

  /** The attacks. What fails in the sandbox is as good as what has no effect outside. */
  String attacks() {
    return """
    exec >/dev/null 2>&1
    G=$(git rev-parse --git-common-dir)
    D=$(git rev-parse --git-dir)
    mkdir -p .evil/objects/info .evil/refs; cp $G/HEAD .evil; cp -r $G/refs/heads .evil/refs
    echo $G/objects > .evil/objects/info/alternates
    printf '#!/bin/sh\\ntouch %1$s\\n' > .evil/run.sh; chmod +x .evil/run.sh
    printf '[core]\\n repositoryformatversion=0\\n fsmonitor="%%s/.evil/run.sh"\\n' $PWD > .evil/config
    git -C lib config core.fsmonitor $PWD/.evil/run.sh; cp .evil/run.sh lib/.git/hooks/post-index-change
    rm -rf sub; git init -q sub; %2$s -C sub commit -q --allow-empty -m sub
    git -C sub config core.fsmonitor $PWD/.evil/run.sh
    git replace $(git rev-parse HEAD:file) $(echo harmless | git hash-object -w --stdin)
    git update-ref refs/heads/others HEAD; git update-ref refs/midcourse/r HEAD
    git update-ref refs/heads/main HEAD; git branch -D others
    for hook in pre-commit post-checkout post-index-change reference-transaction pre-auto-gc; do
      cp .evil/run.sh $G/hooks/$hook
    done
    for name in core.fsmonitor core.sshCommand core.pager core.editor core.hooksPath diff.external \\
        credential.helper gpg.program filter.x.clean filter.x.smudge filter.x.process alias.st \\
        include.path core.worktree core.attributesFile; do
      git config $name $PWD/.evil/run.sh
      git config -f $G/config.worktree $name $PWD/.evil/run.sh
    done
    echo '* filter=x diff=x' > $G/info/attributes
    git rev-parse HEAD > $G/info/grafts; git rev-parse HEAD > $G/shallow
    echo $PWD/.evil/objects > $G/objects/info/alternates
    for module in $G/modules/sub $D/modules/sub; do
      mkdir -p $module/hooks; cp .evil/run.sh $module/hooks/post-index-change
      printf '[core]\\n fsmonitor = %%s/.evil/run.sh\\n' $PWD >> $module/config
      echo $PWD/.evil > $module/commondir
    done
    for file in commondir gitdir config.worktree; do
      echo $PWD/.evil > $G/worktrees/others/$file; echo $PWD/.evil > $D/$file
    done
    echo $PWD/.evil > $G/commondir
    rm -rf $G/refs/midcourse; mv $G $G.away; mkdir $G; cp -r .evil/* $G
    rm -f .git; mv .git away; echo "gitdir: $PWD/.evil" > .git
    truncate -s 3G $D/index
    """
        .formatted(escaped, WHO.strip());
  }

  /** Checks that nothing but the branch of the worktree has changed, and that nothing runs. */
  void assertUnharmed(Path workspace) throws Exception {
    assertThat(trusted()).isEqualTo(before);
    for (Path place :
        new Path[] {clone, workspace, clone.resolve("sub"), workspace.resolve("lib")}) {
      shell(place, "git status && git log -1 && git branch -a && git diff HEAD && git add -N .");
    }
    shell(workspace, WHO + "commit -q --allow-empty -m outside && git gc -q");
    assertThat(escaped).doesNotExist();
  }

  Path cloned() {
    return clone;
  }

  /** Every file below the git folder, except objects and the branch of the worktree. */
  private Map<String, String> trusted() throws Exception {
    Path git = clone.resolve(".git");
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(git)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = git.relativize(file).toString();
        if (!name.matches(
            "objects/(../.*|pack/pack-[0-9a-f]+\\.(pack|idx|rev))|midcourse/.*|(logs/)?refs/heads/work"
                + "|worktrees/workspace/(index|logs/HEAD)")) {
          found.put(name, digest(file));
        }
      }
    }
    return found;
  }

  private static String digest(Path file) throws Exception {
    byte[] content = Files.readAllBytes(file);
    return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(content));
  }

  static String shell(Path folder, String command) throws Exception {
    Process process = started(folder, command);
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static Process started(Path folder, String command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-ec", command)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    return builder.start();
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
