package dev.midcourse.proof.repository;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Rules between modules and packages that the dependencies of the Maven modules cannot express. */
final class ModuleRules {
  /**
   * Classes outside of `agents` that may start a process, by full name. Each entry says why; there
   * is no other way around the rule.
   */
  private static final Set<String> MAY_START_A_PROCESS_TOO =
      Set.of(
          // Starts the hub itself, which is to outlive the command.
          "dev.midcourse.cli.client.HubStarter",
          // Lends the terminal to the user's editor and waits for it.
          "dev.midcourse.cli.input.Editor",
          // Switches the echo of the terminal off and on with stty, and waits for it.
          "dev.midcourse.cli.input.TerminalQuestions",
          // Gives a link to the browser of the user, which is to outlive the view.
          "dev.midcourse.cli.watch.LinkOpener",
          // A channel program is no agent: it ends with the hub, or is killed with its children.
          "dev.midcourse.channels.program.ProgramProcess",
          // Runs the command that prints a secret, waits for it, and ends it after seconds.
          "dev.midcourse.hub.settings.channel.SecretSources");

  /** Classes of `cli` that only run where the launcher's class path has everything. */
  private static final Set<String> STARTED_WITH_THE_HUB =
      Set.of(
          "dev.midcourse.cli.command.ServeCommand",
          // Of doctor: reads the settings as the hub would.
          "dev.midcourse.cli.doctor.HealthChecks",
          "dev.midcourse.cli.doctor.WorkerChecks");

  private static final Set<String> CLOCK_METHODS =
      Set.of("java.lang.System.currentTimeMillis", "java.lang.System.nanoTime");

  private static final String CORE = "dev.midcourse.core..";
  private static final String LEDGER = "dev.midcourse.ledger..";
  private static final String AGENTS = "dev.midcourse.agents..";
  private static final String GATEWAY = "dev.midcourse.gateway..";

  static final ArchRule CORE_DOES_NO_IO =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..")
                  .and(not(named("java.io.Serializable", "java.io.ObjectMethods", "java.net.URI"))))
          .orShould()
          .accessTargetWhere(
              access(
                  "System.in, System.out, System.err or the environment",
                  target ->
                      target.getOwner().isEquivalentTo(System.class)
                          && Set.of("in", "out", "err", "getenv", "getProperty", "console")
                              .contains(target.getName())))
          .because("core is what is true: it gets values and returns values");

  static final ArchRule CORE_STARTS_NO_THREAD =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat(
              named(
                  "java.lang.Thread",
                  "java.lang.Thread$Builder",
                  "java.util.Timer",
                  "java.util.concurrent.Executor",
                  "java.util.concurrent.ExecutorService",
                  "java.util.concurrent.Executors",
                  "java.util.concurrent.ForkJoinPool",
                  "java.util.concurrent.CompletableFuture",
                  "java.util.concurrent.StructuredTaskScope"))
          .because("core decides; its callers bring the threads");

  static final ArchRule CORE_READS_NO_CLOCK =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .accessTargetWhere(access("the time of the machine", ModuleRules::readsTheClock))
          .because("time comes into core as a value, so that a test can move it");

  static final ArchRule ONLY_LEDGER_TOUCHES_A_DATABASE =
      noClasses()
          .that()
          .resideOutsideOfPackage(LEDGER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..", "com.zaxxer..")
          .because(
              "the ledger writes state and event in one transaction; nothing else opens a"
                  + " database");

  static final ArchRule ONLY_AGENTS_STARTS_PROCESSES =
      noClasses()
          .that()
          .resideOutsideOfPackage(AGENTS)
          .and(not(named(MAY_START_A_PROCESS_TOO.toArray(String[]::new))))
          .should()
          .dependOnClassesThat(named("java.lang.ProcessBuilder"))
          .orShould()
          .accessTargetWhere(
              access(
                  "Runtime.exec",
                  target ->
                      target.getOwner().isEquivalentTo(Runtime.class)
                          && target.getName().equals("exec")))
          .because("agents knows how to end the whole tree of what it started");

  static final ArchRule NO_MODULE_USES_A_HIGHER_ONE =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("core")
          .definedBy(CORE)
          .layer("ledger")
          .definedBy(LEDGER)
          .layer("agents")
          .definedBy(AGENTS)
          .layer("gateway")
          .definedBy(GATEWAY)
          .layer("engine")
          .definedBy("dev.midcourse.engine..")
          .layer("autopilot")
          .definedBy("dev.midcourse.autopilot..")
          .layer("channels")
          .definedBy("dev.midcourse.channels..")
          .layer("hub")
          .definedBy("dev.midcourse.hub..")
          .layer("cli")
          .definedBy("dev.midcourse.cli..")
          .whereLayer("core")
          .mayNotAccessAnyLayer()
          .whereLayer("ledger")
          .mayOnlyAccessLayers("core")
          .whereLayer("agents")
          .mayOnlyAccessLayers("core")
          .whereLayer("gateway")
          .mayOnlyAccessLayers("core", "agents")
          .whereLayer("engine")
          .mayOnlyAccessLayers("core", "ledger", "agents", "gateway")
          .whereLayer("autopilot")
          .mayOnlyAccessLayers("core", "ledger", "agents", "gateway", "engine")
          .whereLayer("channels")
          .mayOnlyAccessLayers("core", "ledger", "engine")
          .whereLayer("hub")
          .mayOnlyAccessLayers(
              "core", "ledger", "agents", "gateway", "engine", "autopilot", "channels")
          .whereLayer("cli")
          .mayOnlyAccessLayers(
              "core", "ledger", "agents", "gateway", "engine", "autopilot", "channels", "hub")
          .because(
              "dependencies point down: a module uses the modules below it, never one above or beside");

  static final ArchRule COMMANDS_DO_WITHOUT_THE_HUB =
      noClasses()
          .that()
          .resideInAPackage("dev.midcourse.cli..")
          .and(not(named(STARTED_WITH_THE_HUB.toArray(String[]::new))))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              LEDGER,
              AGENTS,
              GATEWAY,
              "dev.midcourse.engine..",
              "dev.midcourse.autopilot..",
              "dev.midcourse.channels..",
              "dev.midcourse.hub..")
          .because("the launcher starts commands without these modules, so that they start fast");

  /** The two values that are left out are plain words that two packages of core share. */
  static final ArchRule NO_PACKAGE_CYCLES =
      slices()
          .matching("dev.midcourse.(**)")
          .should()
          .beFreeOfCycles()
          .ignoreDependency(RunSpec.class, Author.class)
          .ignoreDependency(RunSpec.class, PendingPolicy.class)
          .because("packages that need each other can only be read, moved and changed together");

  static final ArchRule EVERY_CLASS_IS_IN_A_MODULE =
      classes()
          .should()
          .resideInAnyPackage(
              CORE,
              LEDGER,
              AGENTS,
              GATEWAY,
              "dev.midcourse.engine..",
              "dev.midcourse.autopilot..",
              "dev.midcourse.channels..",
              "dev.midcourse.hub..",
              "dev.midcourse.cli..")
          .because("a package outside the modules is under no rule");

  static final List<ArchRule> ALL =
      List.of(
          CORE_DOES_NO_IO,
          CORE_STARTS_NO_THREAD,
          CORE_READS_NO_CLOCK,
          ONLY_LEDGER_TOUCHES_A_DATABASE,
          ONLY_AGENTS_STARTS_PROCESSES,
          NO_MODULE_USES_A_HIGHER_ONE,
          COMMANDS_DO_WITHOUT_THE_HUB,
          NO_PACKAGE_CYCLES,
          EVERY_CLASS_IS_IN_A_MODULE);

  private ModuleRules() {}

  private static boolean readsTheClock(AccessTarget target) {
    JavaClass owner = target.getOwner();
    boolean time = owner.getPackageName().startsWith("java.time");
    boolean now = time && target.getName().equals("now");
    boolean system = time && target.getName().startsWith("system");
    boolean date = owner.isEquivalentTo(Date.class) && target.getName().equals("<init>");
    return now
        || system
        || date
        || CLOCK_METHODS.contains(owner.getName() + "." + target.getName());
  }

  private static DescribedPredicate<JavaAccess<?>> access(
      String what, Predicate<AccessTarget> matches) {
    return describe("access to " + what, access -> matches.test(access.getTarget()));
  }

  private static DescribedPredicate<JavaClass> named(String... names) {
    Set<String> wanted = Set.of(names);
    return describe("one of " + wanted, type -> wanted.contains(type.getName()));
  }
}
