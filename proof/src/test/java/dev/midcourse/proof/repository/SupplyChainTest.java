package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.proof.supply.Advisories;
import dev.midcourse.proof.supply.BillOfMaterials;
import dev.midcourse.proof.supply.BillOfMaterials.Library;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What docs/supply-chain.md says about where the parts of Midcourse come from. */
class SupplyChainTest {
  @TempDir Path folder;

  /** Seen to fail when maven-wrapper.properties has no distributionSha256Sum. */
  @Test
  void the_wrapper_runs_no_maven_with_another_checksum() throws Exception {
    Path programs = Files.createDirectory(folder.resolve("programs"));
    for (String name : List.of("wget", "curl")) {
      Path program = programs.resolve(name);
      Files.writeString(
          program,
          """
          #!/bin/sh
          while [ $# -gt 0 ]; do case $1 in -O | -o) echo another archive >"$2" ;; esac; shift; done
          """);
      assertThat(program.toFile().setExecutable(true)).isTrue();
    }
    Shell.Result result =
        Shell.in(Clone.ROOT)
            .with("PATH", programs + ":" + System.getenv("PATH"))
            .with("MAVEN_USER_HOME", folder.resolve("m2").toString())
            .run("./mvnw --version");
    assertThat(result.code()).as(result.all()).isEqualTo(1);
    assertThat(result.err()).contains("Failed to validate Maven distribution SHA-256");
  }

  /** Seen to fail when one integrity was removed from the lock file. */
  @Test
  void every_npm_package_of_the_tests_is_pinned_with_its_checksum() {
    JsonNode lock = json("proof/agents/package-lock.json");
    JsonNode wanted = json("proof/agents/package.json");
    Stream.of("dependencies", "optionalDependencies")
        .flatMap(kind -> wanted.path(kind).propertyStream())
        .forEach(it -> assertThat(it.getValue().asString()).as(it.getKey()).matches("\\d[\\w.-]*"));
    Map<String, JsonNode> packages =
        lock.path("packages")
            .propertyStream()
            .filter(it -> !it.getKey().isEmpty())
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    assertThat(packages).hasSizeGreaterThan(100);
    packages.forEach((name, it) -> {
      assertThat(it.path("integrity").asString("")).as(name).startsWith("sha512-");
      assertThat(it.path("version").asString("")).as(name).isNotEmpty();
    });
  }

  private static JsonNode json(String file) {
    return JsonMapper.builder().build().readTree(Clone.ROOT.resolve(file).toFile());
  }

  @Test
  void an_advisory_is_found_for_the_versions_that_it_names() throws IOException {
    Advisories known = Advisories.read(Clone.ROOT.resolve("build/advisories.json"));
    assertThat(known.against(with("42.7.3"))).isEmpty();
    assertThat(known.against(with("42.7.6")))
        .singleElement()
        .asString()
        .startsWith("org.postgresql:postgresql 42.7.6: GHSA-hq9p-pm7w-8p54 ");
    assertThat(known.against(with("42.7.14"))).isEmpty();
    assertThat(known.against(with("42.7.2-rc1"))).isNotEmpty();
  }

  private static BillOfMaterials with(String version) {
    return new BillOfMaterials(
        List.of(new Library("org.postgresql", "postgresql", version, List.of())));
  }

  /** The checks of the bill of materials that the build makes. */
  @Tag("slow")
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @Nested
  class Built {
    /** The licences that everything may have that the program contains. */
    private static final Set<String> ALLOWED =
        Set.of("Apache-2.0", "MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause");

    private BillOfMaterials bill = new BillOfMaterials(List.of());

    @BeforeAll
    void make(@TempDir Path place) throws Exception {
      Shell.Result made =
          Shell.in(Clone.ROOT)
              .run(
                  ". build/tools.sh && root=$PWD && find_jdk && maven --quiet"
                      + " cyclonedx:makeAggregateBom --projects cli --also-make -Dbuild.folder="
                      + place);
      assertThat(made.code()).as(made.all()).isZero();
      bill = BillOfMaterials.read(place.resolve("bom.json"));
    }

    /** Seen to fail when three versions of one library were in the program. */
    @Test
    void the_bill_of_materials_names_every_jar_of_the_program_once() throws Exception {
      assertThat(Shell.in(Clone.ROOT).run("./midcourse --version").code()).isZero();
      Path builds = Clone.ROOT.resolve(".cache/dist");
      Path lib = builds.resolve(Files.readString(builds.resolve("current")).strip()).resolve("lib");
      try (Stream<Path> jars = Files.list(lib)) {
        assertThat(jars.map(it -> it.getFileName().toString()))
            .filteredOn(name -> !name.startsWith("midcourse-"))
            .containsExactlyInAnyOrderElementsOf(
                bill.libraries().stream().map(Library::file).toList());
      }
      assertThat(bill.libraries().stream().map(Library::name)).doesNotHaveDuplicates();
    }

    @Test
    void every_licence_is_allowed_and_on_the_page_of_licences() throws IOException {
      for (Library library : bill.libraries()) {
        assertThat(library.licences()).as(library.toString()).isNotEmpty().isSubsetOf(ALLOWED);
      }
      Path page = Clone.ROOT.resolve("docs/licences.md");
      if (Boolean.getBoolean("midcourse.write")) {
        Files.writeString(page, bill.licencePage());
      }
      assertThat(page).hasContent(bill.licencePage());
    }

    /**
     * {@code -Dmidcourse.osv=PLACE} names more advisories. Seen to fail when an advisory is about a
     * version that is used.
     */
    @Test
    void no_library_has_a_known_vulnerability() throws IOException {
      Path known = Clone.ROOT.resolve("build/advisories.json");
      assertThat(Advisories.read(known).against(bill)).isEmpty();
      String more = System.getProperty("midcourse.osv", "");
      if (!more.isEmpty()) {
        assertThat(Advisories.read(Path.of(more)).against(bill)).isEmpty();
      }
    }

    /** Seen to fail when project.build.outputTimestamp is not set. */
    @Test
    void two_builds_have_the_same_bytes() throws Exception {
      Shell.Result result = Shell.in(Clone.ROOT).run("build/reproduce");
      assertThat(result.code()).as(result.all()).isZero();
      assertThat(result.out()).endsWith("Both builds are the same, byte by byte.\n");
    }
  }
}
