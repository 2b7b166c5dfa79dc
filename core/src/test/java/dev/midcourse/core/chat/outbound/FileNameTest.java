package dev.midcourse.core.chat.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNameTest {
  /** Seen to fail when the folder stays in the name. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "report.pdf           | report.pdf",
        "out/report (1).pdf   | report (1).pdf",
        "../../etc/passwd     | passwd",
        "C:\\temp\\a.txt       | a.txt",
        "..                   | file",
        ".bashrc              | bashrc",
        "a:b*c?.txt           | a_b_c_.txt",
        "Überweisung 日本.csv | Überweisung 日本.csv",
        "dir/                 | file",
      })
  void t155_a_name_has_no_folder_and_no_special_character(String text, String expected) {
    assertThat(FileName.safe(text).value()).isEqualTo(expected);
  }

  @Test
  void control_characters_and_line_breaks_are_replaced() {
    assertThat(FileName.safe("a\nb\u0000c\u202Etxt").value()).isEqualTo("a_b_c_txt");
  }

  @Test
  void a_long_name_keeps_its_end_and_no_half_character() {
    String name = FileName.safe("\uD83D\uDE00x".repeat(80) + ".pdf").value();
    assertThat(name).endsWith(".pdf").hasSizeLessThanOrEqualTo(100);
    String letters = FileName.safe("\uD840\uDC00".repeat(80) + "abc.pdf").value();
    assertThat(letters).endsWith("abc.pdf").hasSizeLessThanOrEqualTo(100);
    assertThat(Character.isLowSurrogate(letters.charAt(0))).isFalse();
  }
}
