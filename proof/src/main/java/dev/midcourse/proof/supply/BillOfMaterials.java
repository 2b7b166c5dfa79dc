package dev.midcourse.proof.supply;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The libraries of a CycloneDX document, without the modules of Midcourse. */
public record BillOfMaterials(List<Library> libraries) {
  private static final String OURS = "dev.midcourse";

  /**
   * Licences that the plugin mistakes. The pom of JLine names "The BSD License", which the plugin
   * takes for the one with four clauses, and links the one with three. The pom of RE2/J names the
   * "Go License", which has the text of the one with three. The libraries for mail may be used
   * under the EDL 1.0, which is the one with three, or under others.
   */
  private static final Map<String, List<String>> CORRECTED =
      Map.of(
          "org.jline:jline", List.of("BSD-3-Clause"),
          "com.google.re2j:re2j", List.of("BSD-3-Clause"),
          "jakarta.activation:jakarta.activation-api", List.of("BSD-3-Clause"),
          "jakarta.mail:jakarta.mail-api", List.of("BSD-3-Clause"),
          "org.eclipse.angus:angus-activation", List.of("BSD-3-Clause"),
          "org.eclipse.angus:angus-mail", List.of("BSD-3-Clause"));

  /** A library by its Maven coordinates, with the SPDX names of its licences. */
  public record Library(String group, String name, String version, List<String> licences) {
    /** The name of its file among the libraries of the program. */
    public String file() {
      return name + "-" + version + ".jar";
    }

    /** The name by which advisories call it. */
    String coordinates() {
      return group + ":" + name;
    }
  }

  public static BillOfMaterials read(Path file) {
    JsonNode document = JsonMapper.builder().build().readTree(file.toFile());
    return new BillOfMaterials(
        document
            .path("components")
            .valueStream()
            .map(BillOfMaterials::library)
            .filter(library -> !library.group().equals(OURS))
            .sorted(Comparator.comparing(Library::coordinates))
            .toList());
  }

  private static Library library(JsonNode component) {
    String group = component.path("group").asString("");
    String name = component.path("name").asString("");
    List<String> licences =
        component.path("licenses").valueStream().map(BillOfMaterials::licence).toList();
    return new Library(
        group,
        name,
        component.path("version").asString(""),
        CORRECTED.getOrDefault(group + ":" + name, licences));
  }

  private static String licence(JsonNode licence) {
    String expression = licence.path("expression").asString("");
    JsonNode named = licence.path("license");
    return expression.isEmpty()
        ? named.path("id").asString(named.path("name").asString("unknown"))
        : expression;
  }

  /** The page about licences, in Markdown. */
  public String licencePage() {
    String rows =
        libraries.stream()
            .map(it ->
                "| `%s` | %s | %s |"
                    .formatted(it.coordinates(), it.version(), String.join(", ", it.licences())))
            .collect(Collectors.joining("\n"));
    return """
    # Licences

    The libraries that a build of Midcourse contains, from its [bill of materials](supply-chain.md). Midcourse itself has the
    licence in [LICENSE](../LICENSE). `SupplyChainTest` checks this page and writes it with `-Dmidcourse.write=true`.

    | library | version | licence |
    |---|---|---|
    %s
    """
        .formatted(rows);
  }
}
