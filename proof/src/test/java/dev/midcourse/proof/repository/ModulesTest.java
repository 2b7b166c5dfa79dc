package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks every production class against the module rules. */
class ModulesTest {
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/dev/midcourse/proof/"))
          .importPackages("dev.midcourse");

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void production_code_keeps_the_rule(ArchRule rule) {
    rule.allowEmptyShould(true).check(PRODUCTION);
  }

  @Test
  void every_module_is_among_the_classes_that_are_checked() {
    assertThat(
            PRODUCTION.stream().map(JavaClass::getPackageName).map(ModulesTest::module).distinct())
        .contains("core", "ledger", "agents", "cli");
  }

  /** Seen to fail when core and agents both had a type Version. */
  @Test
  void a_simple_name_names_one_top_level_type() {
    Map<String, List<String>> types =
        PRODUCTION.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> !type.getSimpleName().endsWith("-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    assertThat(types)
        .containsKey("SteerRequest")
        .allSatisfy((_, names) -> assertThat(names).hasSize(1));
  }

  private static Stream<ArchRule> rules() {
    return ModuleRules.ALL.stream();
  }

  private static String module(String packageName) {
    return packageName.split("\\.", -1)[2];
  }
}
