package dev.midcourse.ledger.json;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.ReviewVerdict;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeWrite;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Writes loops, and their acts at forges, as JSON objects and reads them back. */
public final class LoopCodec {
  private static final JsonMapper MAPPER =
      JsonCodec.mapper()
          .rebuild()
          .addMixIn(LoopReviewer.class, ReviewerKinds.class)
          .addMixIn(ReviewVerdict.class, ReviewKinds.class)
          .addMixIn(CiVerdict.class, CiKinds.class)
          .addMixIn(ForgeAct.class, ForgeActKinds.class)
          .build();

  private static final ObjectWriter WRITER = MAPPER.writerFor(Loop.class);

  /** A flag or number that an earlier version did not write is false or 0. */
  private static final ObjectReader READER =
      MAPPER
          .readerFor(Loop.class)
          .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private static final ObjectWriter WRITE_WRITER = MAPPER.writerFor(ForgeWrite.class);

  private static final ObjectReader WRITE_READER =
      MAPPER
          .readerFor(ForgeWrite.class)
          .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

  private LoopCodec() {}

  public static String encode(Loop loop) {
    return WRITER.writeValueAsString(loop);
  }

  public static Loop decode(String json) {
    return READER.readValue(json);
  }

  public static String encode(ForgeWrite write) {
    return WRITE_WRITER.writeValueAsString(write);
  }

  public static ForgeWrite decodeWrite(String json) {
    return WRITE_READER.readValue(json);
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = LoopReviewer.OfAgent.class, name = "agent"),
    @JsonSubTypes.Type(value = LoopReviewer.OfLogin.class, name = "login"),
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

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = ForgeAct.Open.class, name = "open"),
    @JsonSubTypes.Type(value = ForgeAct.Edit.class, name = "edit"),
    @JsonSubTypes.Type(value = ForgeAct.MarkReady.class, name = "mark_ready"),
    @JsonSubTypes.Type(value = ForgeAct.RequestReview.class, name = "request_review"),
    @JsonSubTypes.Type(value = ForgeAct.Reply.class, name = "reply"),
    @JsonSubTypes.Type(value = ForgeAct.Resolve.class, name = "resolve"),
    @JsonSubTypes.Type(value = ForgeAct.Comment.class, name = "comment"),
    @JsonSubTypes.Type(value = ForgeAct.RerunFailed.class, name = "rerun_failed"),
    @JsonSubTypes.Type(value = ForgeAct.UpdateBranch.class, name = "update_branch"),
    @JsonSubTypes.Type(value = ForgeAct.Merge.class, name = "merge"),
    @JsonSubTypes.Type(value = ForgeAct.Enqueue.class, name = "enqueue"),
    @JsonSubTypes.Type(value = ForgeAct.Close.class, name = "close")
  })
  private interface ForgeActKinds {}
}
