package dev.midcourse.hub.http.route;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The meaning of a field of a request, for the published description of the API. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface RouteDoc {
  String value();

  /** Its name outside, where Java does not let a record have it. */
  String name() default "";
}
