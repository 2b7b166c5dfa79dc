package dev.midcourse.proof.supply;

import dev.midcourse.proof.supply.BillOfMaterials.Library;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Known vulnerabilities in the OSV format (https://ossf.github.io/osv-schema/). Only packages of
 * Maven and ranges of versions are used.
 */
public record Advisories(List<JsonNode> records) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /**
   * Reads a file with one record or an array of records, a zip archive of such files, as osv.dev
   * offers it for each ecosystem, or a folder of such files.
   */
  public static Advisories read(Path place) throws IOException {
    List<JsonNode> records = new ArrayList<>();
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.walk(place)) {
        for (Path file : files.filter(it -> it.toString().endsWith(".json")).toList()) {
          add(MAPPER.readTree(file.toFile()), records);
        }
      }
    } else if (place.toString().endsWith(".zip")) {
      try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(place))) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          add(MAPPER.readTree(zip.readAllBytes()), records);
        }
      }
    } else {
      try (InputStream file = Files.newInputStream(place)) {
        add(MAPPER.readTree(file), records);
      }
    }
    return new Advisories(List.copyOf(records));
  }

  private static void add(JsonNode found, List<JsonNode> records) {
    if (found.isArray()) {
      found.forEach(records::add);
    } else {
      records.add(found);
    }
  }

  /** One line for each library with a known vulnerability. */
  public List<String> against(BillOfMaterials bill) {
    List<String> found = new ArrayList<>();
    for (JsonNode advisory : records) {
      for (JsonNode affected : advisory.path("affected")) {
        for (Library library : bill.libraries()) {
          if (isAbout(affected, library) && isAffected(affected, library.version())) {
            found.add(
                "%s %s: %s %s"
                    .formatted(
                        library.coordinates(),
                        library.version(),
                        advisory.path("id").asString(""),
                        advisory.path("summary").asString("")));
          }
        }
      }
    }
    return found;
  }

  private static boolean isAbout(JsonNode affected, Library library) {
    JsonNode its = affected.path("package");
    return its.path("ecosystem").asString("").equals("Maven")
        && its.path("name").asString("").equals(library.coordinates());
  }

  private static boolean isAffected(JsonNode affected, String version) {
    return affected.path("versions").valueStream().anyMatch(it -> it.asString("").equals(version))
        || affected.path("ranges").valueStream().anyMatch(range -> isIn(range, version));
  }

  /** Follows the events of a range in their order: the last one up to the version decides. */
  private static boolean isIn(JsonNode range, String version) {
    boolean in = false;
    for (JsonNode event : range.path("events")) {
      String introduced = event.path("introduced").asString("");
      String fixed = event.path("fixed").asString("");
      String last = event.path("last_affected").asString("");
      if (!introduced.isEmpty() && compare(version, introduced) >= 0) {
        in = true;
      }
      if (!fixed.isEmpty() && compare(version, fixed) >= 0) {
        in = false;
      }
      if (!last.isEmpty() && compare(version, last) > 0) {
        in = false;
      }
    }
    return in;
  }

  /** Compares versions by their numbers. A word (alpha, rc) comes before the end of a version. */
  static int compare(String one, String other) {
    String[] ones = one.split("[.-]", -1);
    String[] others = other.split("[.-]", -1);
    for (int i = 0; i < Math.max(ones.length, others.length); i++) {
      int order =
          Long.compare(
              number(i < ones.length ? ones[i] : "0"), number(i < others.length ? others[i] : "0"));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static long number(String part) {
    return part.matches("\\d{1,18}") ? Long.parseLong(part) : -1;
  }
}
