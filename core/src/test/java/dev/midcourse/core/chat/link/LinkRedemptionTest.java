package dev.midcourse.core.chat.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.person.PersonId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkRedemptionTest {
  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");
  private static final PersonId ANN = PersonId.of("ann");
  private static final LinkCode CODE = LinkCode.issue("k7fp2m9q", ANN, NOW);

  @Test
  void the_right_code_links_in_any_case_and_with_spaces_around_it() {
    assertThat(LinkRedemption.redeem(List.of(CODE), " K7FP2m9q ", NOW))
        .isEqualTo(new LinkRedemption.Linked(ANN, CODE));
  }

  @Test
  void a_code_expires() {
    Instant last = NOW.plus(LinkCode.LIFETIME).minus(Duration.ofMillis(1));
    assertThat(LinkRedemption.redeem(List.of(CODE), "k7fp2m9q", last))
        .isInstanceOf(LinkRedemption.Linked.class);
    assertThat(LinkRedemption.redeem(List.of(CODE), "k7fp2m9q", NOW.plus(LinkCode.LIFETIME)))
        .isEqualTo(new LinkRedemption.Wrong(List.of()));
  }

  @Test
  void the_fifth_wrong_code_voids_the_right_one() {
    List<LinkCode> codes = List.of(CODE);
    for (int tries = 1; tries <= LinkCode.MAX_TRIES; tries++) {
      assertThat(LinkRedemption.redeem(codes, "k7fp2m9q", NOW))
          .as("after %d wrong codes", tries - 1)
          .isInstanceOf(LinkRedemption.Linked.class);
      codes = ((LinkRedemption.Wrong) LinkRedemption.redeem(codes, "wrong", NOW)).changed();
    }
    assertThat(LinkRedemption.redeem(codes, "k7fp2m9q", NOW))
        .isInstanceOf(LinkRedemption.Wrong.class);
  }

  @Test
  void the_code_itself_is_not_kept() {
    assertThat(CODE.toString()).doesNotContain("k7fp2m9q");
  }
}
