package dev.midcourse.ledger.json;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.ReviewVerdict;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Writes loops as JSON objects and reads them back. */
public final class LoopCodec {
  private static final JsonMapper MAPPER =
      JsonCodec.mapper()
          .rebuild()
          .addMixIn(LoopReviewer.class, ReviewerKinds.class)
          .addMixIn(ReviewVerdict.class, ReviewKinds.class)
          .addMixIn(CiVerdict.class, CiKinds.class)
          .build();

  private static final ObjectWriter WRITER = MAPPER.writerFor(Loop.class);

  /** A flag or number that an earlier version did not write is false or 0. */
  private static final ObjectReader READER =
      MAPPER
          .readerFor(Loop.class)
          .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private LoopCodec() {}

  public static String encode(Loop loop) {
    return WRITER.writeValueAsString(loop);
  }

  public static Loop decode(String json) {
    return READER.readValue(json);
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = LoopReviewer.OfAgent.class, name = "agent"),
    @JsonSubTypes.Type(value = LoopReviewer.OfPerson.class, name = "person"),
    @JsonSubTypes.Type(value = LoopReviewer.Nobody.class, name = "none")
  })
  private interface ReviewerKinds {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = ReviewVerdict.Clean.class, name = "clean"),
    @JsonSubTypes.Type(value = ReviewVerdict.WithFindings.class, name = "findings"),
    @JsonSubTypes.Type(value = ReviewVerdict.Unavailable.class, name = "unavailable"),
    @JsonSubTypes.Type(value = ReviewVerdict.NotReviewed.class, name = "not_reviewed")
  })
  private interface ReviewKinds {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = CiVerdict.Green.class, name = "green"),
    @JsonSubTypes.Type(value = CiVerdict.Red.class, name = "red"),
    @JsonSubTypes.Type(value = CiVerdict.Unavailable.class, name = "unavailable"),
    @JsonSubTypes.Type(value = CiVerdict.NotTested.class, name = "not_tested")
  })
  private interface CiKinds {}
}
