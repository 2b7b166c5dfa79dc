package dev.midcourse.hub.http;

import dev.midcourse.hub.http.ErrorResponses.Plain;
import io.helidon.common.context.Context;
import io.helidon.http.DirectHandler;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.http.DirectHandlers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The context that Helidon's HTTP/1.1 requires: plain bytes, no discovery, errors in our format.
 */
final class HelidonListenerContext implements ListenerContext {
  private final Context context = Context.builder().id("hub").build();
  private final MediaContext media =
      MediaContext.builder().mediaSupportsDiscoverServices(false).registerDefaults(false).build();
  private final ContentEncodingContext encoding =
      ContentEncodingContext.builder().contentEncodingsDiscoverServices(false).build();
  private final DirectHandlers errors = errors();
  private final ListenerConfig config =
      ListenerConfig.builder().protocolsDiscoverServices(false).writeBufferSize(0).build();
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  private static DirectHandlers errors() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    DirectHandler ours =
        (request, _, status, headers, message) -> {
          // Without a path the bytes were not a request, so the client made the error.
          Plain problem =
              request.path().isEmpty()
                  ? ErrorResponses.malformed(400, "the request does not begin like one")
                  : ErrorResponses.malformed(status.code(), message);
          return TransportResponse.builder()
              .status(Status.create(problem.status()))
              .headers(headers)
              .header(HeaderNames.CONTENT_TYPE, ErrorResponses.CONTENT_TYPE)
              .entity(problem.json())
              .keepAlive(false)
              .build();
        };
    for (EventType type : EventType.values()) {
      handlers.addHandler(type, ours);
    }
    return handlers.build();
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public MediaContext mediaContext() {
    return media;
  }

  @Override
  public ContentEncodingContext contentEncodingContext() {
    return encoding;
  }

  @Override
  public DirectHandlers directHandlers() {
    return errors;
  }

  @Override
  public ListenerConfig config() {
    return config;
  }

  @Override
  public ExecutorService executor() {
    return executor;
  }
}
