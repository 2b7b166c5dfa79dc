package dev.midcourse.gateway.driver;

import static dev.midcourse.gateway.read.SampleRequests.STEER;

import dev.midcourse.gateway.read.PresentSteer;
import dev.midcourse.gateway.read.RequestClass;
import dev.midcourse.gateway.read.SteerPlace;
import dev.midcourse.gateway.record.RequestRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Records of requests. */
final class SampleRecords {
  private SampleRecords() {}

  /** Returns a main request with a steer that proves it. */
  static RequestRecord record(long number) {
    return record(number, RequestClass.MAIN, true, SteerPlace.MESSAGE, "s1");
  }

  static RequestRecord record(
      long number, RequestClass kind, boolean answered, SteerPlace place, String session) {
    return record(number, kind, answered, List.of(new PresentSteer(STEER, place)), session);
  }

  /** Returns a main request without a steer. */
  static RequestRecord without(long number, String session) {
    return record(number, RequestClass.MAIN, true, List.of(), session);
  }

  private static RequestRecord record(
      long number, RequestClass kind, boolean answered, List<PresentSteer> steers, String session) {
    return new RequestRecord(
        number,
        kind == RequestClass.MAIN ? OptionalLong.of(number) : OptionalLong.empty(),
        Instant.EPOCH,
        kind,
        true,
        "anthropic",
        Optional.of("m"),
        Optional.of(session),
        Optional.empty(),
        100,
        Optional.empty(),
        200,
        answered,
        Optional.of("msg_" + number),
        Optional.empty(),
        steers,
        List.of(),
        false,
        false,
        OptionalLong.of(1),
        OptionalLong.of(2));
  }
}
