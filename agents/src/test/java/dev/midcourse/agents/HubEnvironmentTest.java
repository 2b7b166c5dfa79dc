package dev.midcourse.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HubEnvironmentTest {
  private static final String DEFAULT =
      HubEnvironment.defaultLocale(System.getProperty("os.name", ""));

  @Test
  void an_agent_of_a_hub_without_utf_8_has_a_locale_with_it() {
    assertThat(locale(Map.of())).isEqualTo(Map.of("LANG", DEFAULT));
    assertThat(locale(Map.of("LANG", "C"))).isEqualTo(Map.of("LANG", DEFAULT));
    assertThat(locale(Map.of("LANG", "de_DE.ISO-8859-1", "LC_CTYPE", "POSIX")))
        .isEqualTo(Map.of("LANG", DEFAULT));
    assertThat(locale(Map.of("LANG", "de_DE.UTF-8", "LC_ALL", "C")))
        .isEqualTo(Map.of("LANG", DEFAULT));
  }

  @Test
  void a_locale_with_utf_8_is_kept() {
    assertThat(locale(Map.of("LANG", "de_DE.utf8"))).isEqualTo(Map.of("LANG", "de_DE.utf8"));
    assertThat(locale(Map.of("LANG", "C", "LC_CTYPE", "de_DE.UTF-8")))
        .isEqualTo(Map.of("LANG", DEFAULT, "LC_CTYPE", "de_DE.UTF-8"));
    assertThat(locale(Map.of("LANG", "en_US.UTF-8", "LC_CTYPE", "C", "LC_ALL", "")))
        .isEqualTo(Map.of("LANG", "en_US.UTF-8"));
    assertThat(locale(Map.of("LANG", "C", "LC_CTYPE", "C", "LC_ALL", "fr_FR.UTF-8@euro")))
        .isEqualTo(Map.of("LANG", "fr_FR.UTF-8@euro"));
  }

  @Test
  void mac_os_has_no_c_utf_8_in_old_versions() {
    assertThat(HubEnvironment.defaultLocale("Mac OS X")).isEqualTo("en_US.UTF-8");
    assertThat(HubEnvironment.defaultLocale("Linux")).isEqualTo("C.UTF-8");
  }

  private static Map<String, String> locale(Map<String, String> variables) {
    return new HubEnvironment(variables).utf8Locale();
  }
}
